import { expect, test } from 'vitest'
import { contrast, inGamut } from './contrast.ts'
import { colourProperties, colours, pairs } from './tokens.ts'

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

test('the properties carry both themes', () => {
  expect(colourProperties()).toContain('--canvas:light-dark(oklch(0.978 0.004 80),oklch(0.178 0.007 230));')
})
