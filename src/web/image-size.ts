/** How wide an image is for its height, from its first bytes: a page that knows it keeps its room until the image is there. */

/** Width and height; null where its bytes do not say so. */
export type ImageSize = readonly [width: number, height: number]

export function imageSize(content: Uint8Array, type: string): ImageSize | null {
  const bytes = Buffer.from(content)
  const size = readers[type]?.(bytes) ?? null
  return size?.every(one => one > 0 && Number.isFinite(one)) === true ? size : null
}

const readers: Readonly<Record<string, (bytes: Buffer) => ImageSize | null>> = {
  'image/svg+xml': bytes => ofSvg(/<svg\b[^>]*>/.exec(bytes.toString('utf8'))?.[0] ?? ''),
  'image/png': bytes => (bytes.length < 24 ? null : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]),
  'image/jpeg': ofJpeg,
  'image/webp': ofWebp,
}

function ofSvg(tag: string): ImageSize | null {
  const said = (name: string) => new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)`).exec(tag)?.[1] ?? ''
  const [width, height] = ['width', 'height'].map(name =>
    /^[\d.]+(px)?$/.test(said(name)) ? parseFloat(said(name)) : 0,
  )
  if (width! > 0 && height! > 0) return [width!, height!]
  const [, , wide = 0, high = 0] = said('viewBox')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  return [wide, high]
}

/** The frame header (SOF) among the segments: 0xC0–0xCF without the tables DHT, JPG and DAC. */
function ofJpeg(bytes: Buffer): ImageSize | null {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const kind = bytes[at + 1]!
    if (kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind))
      return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
  }
  return null
}

/** Lossy, lossless or extended. */
function ofWebp(bytes: Buffer): ImageSize | null {
  if (bytes.length < 30) return null
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1]
    }
    case 'VP8X':
      return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
    default:
      return null
  }
}
