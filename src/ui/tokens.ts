/**
 * The colours of the look ("Ledger"), as data: one OKLCH value for the light and one for the dark theme per token.
 * `styles.ts` writes them as `light-dark()` custom properties, `tokens.test.ts` proves that every pair reaches its floor.
 */
import { type Accents, grounds, type Shades } from '../headings/1-product/palette.ts'

export type { Shades }

export const colours = {
  canvas: grounds.canvas,
  sidebar: [
    [0.957, 0.006, 80],
    [0.158, 0.007, 230],
  ],
  surface: grounds.surface,
  sunken: [
    [0.962, 0.005, 80],
    [0.19, 0.008, 230],
  ],
  raised: [
    [0.998, 0.0015, 80],
    [0.252, 0.01, 230],
  ],
  hover: [
    [0.95, 0.007, 80],
    [0.262, 0.011, 230],
  ],
  line: [
    [0.905, 0.006, 80],
    [0.305, 0.01, 230],
  ],
  'line-2': [
    [0.845, 0.008, 80],
    [0.365, 0.012, 230],
  ],
  control: [
    [0.6, 0.012, 75],
    [0.56, 0.014, 230],
  ],
  text: [
    [0.235, 0.012, 60],
    [0.945, 0.004, 80],
  ],
  'text-2': [
    [0.405, 0.013, 60],
    [0.8, 0.008, 80],
  ],
  'text-3': [
    [0.495, 0.013, 60],
    [0.7, 0.01, 80],
  ],
  accent: [
    [0.45, 0.079, 222],
    [0.755, 0.085, 214],
  ],
  'accent-hover': [
    [0.385, 0.068, 224],
    [0.82, 0.075, 213],
  ],
  'on-accent': [
    [0.99, 0.004, 220],
    [0.19, 0.03, 225],
  ],
  'accent-soft': [
    [0.952, 0.016, 210],
    [0.285, 0.032, 222],
  ],
  'accent-line': [
    [0.82, 0.05, 218],
    [0.42, 0.06, 220],
  ],
  'accent-text': [
    [0.42, 0.074, 223],
    [0.83, 0.08, 212],
  ],
  'good-text': [
    [0.415, 0.092, 152],
    [0.83, 0.11, 152],
  ],
  'good-soft': [
    [0.95, 0.034, 152],
    [0.275, 0.04, 155],
  ],
  good: [
    [0.51, 0.115, 152],
    [0.74, 0.13, 152],
  ],
  'wait-text': [
    [0.43, 0.09, 62],
    [0.85, 0.105, 78],
  ],
  'wait-soft': [
    [0.952, 0.046, 82],
    [0.29, 0.045, 70],
  ],
  wait: [
    [0.6, 0.125, 62],
    [0.79, 0.13, 75],
  ],
  'bad-text': [
    [0.45, 0.15, 27],
    [0.8, 0.11, 22],
  ],
  'bad-soft': [
    [0.955, 0.022, 22],
    [0.285, 0.055, 22],
  ],
  bad: [
    [0.53, 0.18, 27],
    [0.7, 0.16, 24],
  ],
  'mute-text': [
    [0.405, 0.013, 60],
    [0.8, 0.008, 80],
  ],
  'mute-soft': [
    [0.935, 0.007, 80],
    [0.285, 0.01, 230],
  ],
  mute: [
    [0.56, 0.012, 70],
    [0.64, 0.012, 230],
  ],
  /** In drawings: next to each other they differ in lightness, whatever colours somebody tells apart. */
  'series-1': [
    [0.45, 0.079, 222],
    [0.77, 0.085, 214],
  ],
  'series-2': [
    [0.649, 0.13, 93],
    [0.576, 0.118, 77],
  ],
  'series-3': [
    [0.253, 0.112, 315],
    [0.931, 0.031, 335.5],
  ],
  'series-4': [
    [0.431, 0.082, 29.5],
    [0.721, 0.109, 119.5],
  ],
  'series-rest': [
    [0.604, 0.01, 71],
    [0.526, 0.04, 222.5],
  ],
  focus: [
    [0.52, 0.145, 250],
    [0.78, 0.12, 240],
  ],
} as const satisfies Readonly<Record<string, Shades>>

export type Colour = keyof typeof colours

/** Foreground, ground, and the least contrast between them (WCAG 2.2: text 4.5, main text 7 by our own wish, edges 3). */
export const pairs: readonly (readonly [Colour, Colour, number])[] = [
  ['text', 'surface', 7],
  ['text', 'canvas', 7],
  ['text', 'sunken', 7],
  ['text-2', 'surface', 7],
  ['text-2', 'sidebar', 4.5],
  ['text-2', 'canvas', 4.5],
  ['text-3', 'surface', 4.5],
  ['text-3', 'sunken', 4.5],
  ['text-3', 'sidebar', 4.5],
  ['text-3', 'canvas', 4.5],
  ['text-3', 'hover', 4.5],
  ['text-3', 'raised', 4.5],
  ['accent-text', 'surface', 4.5],
  ['accent-text', 'accent-soft', 4.5],
  ['accent-text', 'canvas', 4.5],
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-hover', 4.5],
  ['good-text', 'good-soft', 4.5],
  ['wait-text', 'wait-soft', 4.5],
  ['bad-text', 'bad-soft', 4.5],
  ['mute-text', 'mute-soft', 4.5],
  ['text', 'wait-soft', 7],
  ['text', 'good-soft', 7],
  ['text', 'accent-soft', 7],
  ['bad-text', 'surface', 4.5],
  ['bad-text', 'canvas', 4.5],
  ['bad-text', 'hover', 4.5],
  ['wait-text', 'surface', 4.5],
  ['good-text', 'surface', 4.5],
  ['control', 'surface', 3],
  ['control', 'canvas', 3],
  ['good', 'surface', 3],
  ['wait', 'surface', 3],
  ['bad', 'surface', 3],
  ['mute', 'surface', 3],
  ['accent', 'surface', 3],
  ['accent', 'canvas', 3],
  ['series-1', 'surface', 3],
  ['series-2', 'surface', 3],
  ['series-3', 'surface', 3],
  ['series-4', 'surface', 3],
  ['series-rest', 'surface', 3],
  ['focus', 'surface', 3],
  ['focus', 'canvas', 3],
  ['focus', 'sidebar', 3],
  ['on-accent', 'bad', 4.5],
]

/** The tokens as custom properties: `--canvas:light-dark(oklch(…),oklch(…));` */
export function colourProperties(of: Readonly<Record<string, Shades>> = colours): string {
  return Object.entries(of)
    .map(([name, [light, dark]]) => `--${name}:light-dark(oklch(${light.join(' ')}),oklch(${dark.join(' ')}));`)
    .join('')
}

/** A style sheet that comes after the standard one: the accent of a team's own colour. */
export const accentSheet = (accents: Accents): string => `@layer tokens{:root{${colourProperties(accents)}}}`
