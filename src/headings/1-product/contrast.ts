/** Colours as OKLCH, and their contrast as WCAG 2.2 counts it. */
import {
  useMode as addMode,
  type Color,
  clampChroma,
  converter,
  formatHex,
  inGamut as inGamutOf,
  modeLrgb,
  modeOklab,
  modeOklch,
  modeRgb,
  parse,
  wcagContrast,
} from 'culori/fn'

for (const mode of [modeRgb, modeLrgb, modeOklab, modeOklch]) addMode(mode as typeof modeRgb)

/** Lightness 0 to 1, chroma, hue in degrees. */
export type Oklch = readonly [number, number, number]

const colour = ([l, c, h]: Oklch): Color => ({ mode: 'oklch', l, c, h })
const toOklch = converter('oklch')
const isShown = inGamutOf('rgb')

/** Contrast ratio from 1 to 21. The order of the colours does not matter. */
export const contrast = (a: Oklch, b: Oklch): number => wcagContrast(colour(a), colour(b))

/** Whether a screen of the sRGB gamut can show the colour, as near as its 256 steps are. */
export function inGamut(one: Oklch): boolean {
  if (isShown(colour(one))) return true
  const [lightness, chroma, hue] = one
  return clamped(one)[1] >= chroma - 0.002 && lightness >= 0 && lightness <= 1 && Number.isFinite(hue)
}

/** With as much of its chroma as a screen can show. */
export function clamped([lightness, chroma, hue]: Oklch): Oklch {
  const { c } = clampChroma({ mode: 'oklch', l: lightness, c: chroma, h: hue }, 'oklch')
  return [lightness, Math.floor(c * 1000) / 1000, hue]
}

/** `#0b6e4f`, `teal`, `rgb(…)`, `oklch(…)`. Null: no colour, or one that is seen through. */
export function readColour(text: string): Oklch | null {
  const found = parse(text)
  if (found === undefined || (found.alpha ?? 1) < 1) return null
  const { l, c, h } = toOklch(found)
  return [round(l, 3), round(c, 3), round(h ?? 0, 1)]
}

/** As a mail program understands it. */
export const hexOf = (one: Oklch): string => formatHex(colour(clamped(one)))

const round = (value: number, places: number): number => Math.round(value * 10 ** places) / 10 ** places
