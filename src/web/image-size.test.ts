import { expect, test } from 'vitest'
import { imageSize } from './image-size.ts'

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const svg = (attributes: string) =>
  imageSize(Buffer.from(`<?xml version="1.0"?><svg ${attributes}><g/></svg>`), 'image/svg+xml')

test('the size of an image stands in its first bytes', () => {
  expect(svg('viewBox="0 0 48 24"')).toEqual([48, 24])
  expect(svg('width="120px" height="40" viewBox="0 0 1 1"')).toEqual([120, 40])
  expect(svg('width="100%" height="100%" viewBox="0,0 3.5 7"')).toEqual([3.5, 7])
  const png = bytes('89504e470d0a1a0a 0000000d 49484452 00000140 00000028')
  expect(imageSize(png, 'image/png')).toEqual([320, 40])
  const jpeg = bytes('ffd8 ffe0 0004 0000 ffc4 0003 00 ffc2 0011 08 0050 00f0 03 00000000')
  expect(imageSize(jpeg, 'image/jpeg')).toEqual([240, 80])
  const webp = (kind: string, rest: string) =>
    imageSize(Buffer.concat([bytes('52494646 00000000 57454250'), Buffer.from(kind), bytes(rest)]), 'image/webp')
  expect(webp('VP8X', '0a000000 00000000 630000 310000')).toEqual([100, 50])
  expect(webp('VP8L', '00000000 2f 63400c00 0000000000')).toEqual([100, 50])
  expect(webp('VP8 ', '00000000 000000 9d012a 6400 3200')).toEqual([100, 50])
})

test('what does not say so has none', () => {
  expect(svg('class="x"')).toBeNull()
  for (const type of ['image/png', 'image/jpeg', 'image/webp', 'image/gif'])
    expect(imageSize(bytes('ffd8ffe0'), type)).toBeNull()
})
