import {
  differenceEuclidean,
  filterDeficiencyDeuter,
  filterDeficiencyProt,
  filterDeficiencyTrit,
  type Oklch as Lch,
} from 'culori'
import { expect, test } from 'vitest'
import { contrast, inGamut, type Oklch, readColour } from '../headings/1-product/contrast.ts'
import { grounds, paletteOf } from '../headings/1-product/palette.ts'
import { accentSheet, type Colour, colourProperties, colours, pairs } from './tokens.ts'

test('contrast is that of WCAG: 21 between black and white, 1 with itself, too little for grey on white', () => {
  expect(contrast([0, 0, 0], [1, 0, 0])).toBeCloseTo(21, 1)
  expect(contrast([0.5, 0.1, 40], [0.5, 0.1, 40])).toBe(1)
  expect(contrast([0.75, 0, 0], [1, 0, 0])).toBeLessThan(3)
})

test.each(pairs)('%s on %s reaches %d in both themes', (foreground, ground, floor) => {
  const [light, dark] = [0, 1].map(theme =>
    contrast(colours[foreground][theme as 0 | 1], colours[ground][theme as 0 | 1]),
  )
  expect(light, 'light').toBeGreaterThanOrEqual(floor)
  expect(dark, 'dark').toBeGreaterThanOrEqual(floor)
})

test('every colour is one that an sRGB screen shows', () => {
  for (const [name, shades] of Object.entries(colours)) expect(shades.every(inGamut), name).toBe(true)
})

test('whatever colour a team has, every pair with an accent made of it reaches its floor, in both themes', () => {
  const named: Oklch[] = ['#ffe600', '#000', '#fff', '#808080', '#8a1538', 'lime', 'navy', '#e4002b'].map(
    text => readColour(text)!,
  )
  for (let hue = 0; hue < 360; hue += 20)
    for (const lightness of [0.2, 0.45, 0.7, 0.95]) named.push([lightness, 0.15, hue])
  for (const one of named) {
    const look: Readonly<Record<Colour, (typeof colours)[Colour]>> = {
      ...colours,
      ...(paletteOf(one, grounds).colours as object),
    }
    for (const [foreground, ground, floor] of pairs)
      for (const theme of [0, 1] as const)
        expect(
          contrast(look[foreground][theme], look[ground][theme]),
          `${one.join(' ')}: ${foreground} on ${ground}`,
        ).toBeGreaterThanOrEqual(floor)
  }
})

test('a dark colour is taken as it is, a light one is darkened, and the sheet says only accents', () => {
  const green = readColour('#0b6e4f')!
  const { colours: made, darkened } = paletteOf(green, grounds)
  expect(darkened).toBe(false)
  expect(made.accent[0]).toEqual([green[0], expect.closeTo(green[1], 2), green[2]])
  expect(paletteOf(readColour('#ffe600')!, grounds).darkened).toBe(true)
  expect(readColour('greenish')).toBeNull()
  expect(readColour('rgb(0 0 0 / 50%)')).toBeNull()
  expect(accentSheet(made).match(/--[\w-]+/g)).toEqual([
    '--accent',
    '--accent-hover',
    '--on-accent',
    '--accent-soft',
    '--accent-line',
    '--accent-text',
  ])
})

test('the properties carry both themes', () => {
  expect(colourProperties()).toContain('--canvas:light-dark(oklch(0.978 0.004 80),oklch(0.178 0.007 230));')
})

const series = ['series-1', 'series-2', 'series-3', 'series-4', 'series-rest'] as const

test('whichever colours somebody tells apart, those of a drawing are told apart, neighbours by their lightness alone', () => {
  const far = differenceEuclidean('oklab')
  const eyes = [filterDeficiencyProt(1), filterDeficiencyDeuter(1), filterDeficiencyTrit(1)]
  for (const theme of [0, 1] as const) {
    const all = series.map(name => {
      const [l, c, h] = colours[name][theme]
      return { mode: 'oklch', l, c, h } satisfies Lch
    })
    for (const [at, one] of all.entries()) {
      if (at > 0) expect(Math.abs(one.l - all[at - 1]!.l), `${theme} ${series[at]}`).toBeGreaterThanOrEqual(0.15)
      for (const [to, other] of all.slice(0, at).entries())
        for (const [eye, seen] of [...eyes, (same: Lch) => same].entries())
          expect(far(seen(one), seen(other)), `${theme} ${series[at]} ${series[to]} ${eye}`).toBeGreaterThanOrEqual(0.1)
    }
  }
})
