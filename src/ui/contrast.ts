/** Contrast of colours given in OKLCH, as WCAG 2.2 counts it: OKLCH → linear sRGB → relative luminance → ratio. */

/** Lightness 0 to 1, chroma, hue in degrees. */
export type Oklch = readonly [number, number, number]

/** Contrast ratio from 1 to 21. The order of the colours does not matter. */
export function contrast(a: Oklch, b: Oklch): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** Whether a screen of the sRGB gamut can show the colour as it is written. */
export function inGamut(colour: Oklch): boolean {
  return linear(colour).every(channel => channel >= -0.002 && channel <= 1.002)
}

function luminance(colour: Oklch): number {
  const [red, green, blue] = linear(colour).map(channel => Math.min(1, Math.max(0, channel))) as [
    number,
    number,
    number,
  ]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

// The matrices of CSS Color 4: OKLCH → OKLab → LMS → linear sRGB.
function linear([lightness, chroma, hue]: Oklch): readonly [number, number, number] {
  const angle = (hue * Math.PI) / 180
  const a = chroma * Math.cos(angle)
  const b = chroma * Math.sin(angle)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}
