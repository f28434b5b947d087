/**
 * The accent of a team's own colour, for light and for dark screens: its hue and, as far as one can read it, its lightness in light,
 * a lightness that glows in dark; the same pairs hold their contrast as those of the standard look.
 */
import { clamped, contrast, type Oklch } from './contrast.ts'

/** [light, dark] */
export type Shades = readonly [Oklch, Oklch]

export const accents = ['accent', 'accent-hover', 'on-accent', 'accent-soft', 'accent-line', 'accent-text'] as const
export type Accents = Readonly<Record<(typeof accents)[number], Shades>>

export interface Palette {
  readonly colours: Accents
  /** The colour itself is too light to be written on, or to be seen on paper: a darker one of its hue is taken for it. */
  readonly darkened: boolean
}

/** Grounds that the accent stands on, [light, dark]: the lightest and the darkest that the look has for it. */
interface Grounds {
  readonly surface: Shades
  readonly canvas: Shades
}

const white: Oklch = [0.99, 0.004, 220]
const ink: Oklch = [0.19, 0.03, 225]
/** Steps of lightness that are tried. */
const step = 0.005
/** How far a colour may be from what is taken for it before that is said. */
const unnoticed = 0.02

/** The shades of a colour for both themes, each with the contrast that WCAG 2.2 asks for on these grounds. */
export function paletteOf([lightness, chroma, hue]: Oklch, { surface, canvas }: Grounds): Palette {
  const shade = (l: number, share: number): Oklch =>
    clamped([Math.round(l * 1000) / 1000, Math.min(chroma, 0.2) * share, hue])
  const grounds = (theme: 0 | 1): readonly Oklch[] => [surface[theme], canvas[theme]]
  const reads = (l: number, over: readonly Oklch[], floor: number, share = 1) =>
    over.every(ground => contrast(shade(l, share), ground) >= floor)
  const down = (from: number, fits: (l: number) => boolean): number => {
    let l = from
    while (l > 0.1 && !fits(l)) l -= step
    return l
  }
  const up = (from: number, fits: (l: number) => boolean): number => {
    let l = from
    while (l < 0.97 && !fits(l)) l += step
    return l
  }
  const soft: Shades = [shade(0.955, 0.2), shade(0.285, 0.4)]
  const light = down(Math.max(lightness, 0.2), l => reads(l, [white], 4.5) && reads(l, grounds(0), 3))
  const hover = light > 0.3 ? light - 0.065 : light + 0.08
  const text = down(Math.min(light, 0.42), l => reads(l, [...grounds(0), soft[0]], 4.5))
  const dark = up(0.755, l => reads(l, [ink], 4.5) && reads(l, grounds(1), 3))
  const darkText = up(0.83, l => reads(l, [...grounds(1), soft[1]], 4.5))
  return {
    darkened: lightness - light > unnoticed,
    colours: {
      accent: [shade(light, 1), shade(dark, 0.9)],
      'accent-hover': [shade(hover, 0.9), shade(dark + 0.065, 0.8)],
      'on-accent': [white, ink],
      'accent-soft': soft,
      'accent-line': [shade(0.82, 0.6), shade(0.42, 0.7)],
      'accent-text': [shade(text, 0.95), shade(darkText, 0.8)],
    },
  }
}

/** What the standard look puts below an accent. */
export const grounds: Grounds = {
  surface: [
    [0.998, 0.0015, 80],
    [0.213, 0.008, 230],
  ],
  canvas: [
    [0.978, 0.004, 80],
    [0.178, 0.007, 230],
  ],
}
