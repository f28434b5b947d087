import { expect, test } from 'vitest'
import { fittingName } from './ending.ts'
import { fileTypes, unknownType } from './types.ts'

test.each([
  ['photo.jpg', 'image/jpeg', 'photo.jpg'],
  ['PHOTO.JPEG', 'image/jpeg', 'PHOTO.JPEG'],
  ['photo.jpg', 'application/pdf', 'photo.jpg.pdf'],
  ['photo.jpg', 'image/webp', 'photo.jpg.webp'],
  ['invoice.pdf.exe', 'application/pdf', 'invoice.pdf.exe.pdf'],
  ['file', 'application/pdf', 'file.pdf'],
  ['.pdf', 'application/pdf', '.pdf.pdf'],
  ['photo.jpg', unknownType, 'photo.jpg.bin'],
  ['photo.jpg', 'application/zip', 'photo.jpg.zip'],
  ['list.pdf', 'text/plain', 'list.pdf.txt'],
  ['run.BAT', 'text/plain', 'run.BAT.txt'],
  ['page.html', 'text/plain', 'page.html.txt'],
  // What text, archives and unknown bytes are, their endings say.
  ['events.ics', 'text/plain', 'events.ics'],
  ['map.kmz', 'application/zip', 'map.kmz'],
  ['old.doc', unknownType, 'old.doc'],
  // In an encoding that cannot be told from other bytes.
  ['latin.txt', unknownType, 'latin.txt'],
  ['setup.exe', 'application/x-msdownload', 'setup.exe'],
])('%s with %s inside is kept as %s', (name, media, kept) => {
  expect(fittingName(name, media)).toBe(kept)
  expect(fittingName(kept, media), 'and stays so').toBe(kept)
})

test('every kind that a rule can name has endings', () => {
  const without = Object.entries(fileTypes).filter(([, [media]]) => fittingName('.', media!) === '.')
  expect(without.map(([name]) => name)).toEqual(['ZIP', 'text'])
})
