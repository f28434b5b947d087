import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { tidyFiles } from '../run/read/files.ts'
import { readSound, testId } from '../run/testing.ts'
import { scannerAt } from '../store/clamd.ts'
import { folderFiles } from '../store/files.ts'
import { startClamd, type TestClamd } from '../store/testing-clamd.ts'
import { filesOfForm, formFields } from './bounds.ts'
import { mebibyte, pdf, png } from './fixtures/contents.ts'
import { fieldsOf, multipart, type Page, type Part, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let cleo: TestBrowser
let ben: TestBrowser
let clamd: TestClamd
const folder = mkdtempSync(join(tmpdir(), 'ninefold-files-'))

beforeAll(async () => {
  clamd = await startClamd()
  const app = readSound(join(import.meta.dirname, 'fixtures/desk-with-files.md'))
  const files = { ...folderFiles(folder), scan: scannerAt(clamd.url) }
  web = await startTestWeb(inject('databaseUrl'), app, { files })
  const [clerk, borrower] = await Promise.all([web.browser('Cleo'), web.browser('Ben')])
  cleo = clerk
  ben = borrower
})
afterAll(async () => {
  await web?.stop()
  clamd?.server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Fills in the form of a page as it stands, with these texts and files, and sends it as a browser sends a form with files. */
async function send(
  browser: TestBrowser,
  page: string,
  texts: Record<string, string>,
  files: readonly Part[],
): Promise<Page> {
  const { text } = await browser.get(page)
  const fields = { ...fieldsOf(text, page), ...texts }
  return browser.request('POST', page, multipart([...Object.entries(fields), ...files]))
}

const contents = (): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap(entry => (entry.isFile() ? [entry.name] : []))

test('a form with files has what it needs, and says what is taken', async () => {
  const { text } = await cleo.get('/items/new')
  expect(text).toMatch(/<form[^>]*action="\/items\/new"[^>]*enctype="multipart\/form-data"/i)
  expect(text).toMatch(
    /<input(?=[^>]*id="photo")(?=[^>]*type="file")(?=[^>]*name="photo")[^>]*accept="image\/jpeg,image\/png,image\/apng"/,
  )
  expect(text).toContain('As it looks when it is new. JPEG, PNG, at most 5 MB.')
  expect(text).toContain('Any kind of file, at most 10 MB.')
})

test('a file that is sent ahead of its form is looked at and kept, and a draft that names it keeps it', async () => {
  const ahead = async (name: string, part: Part) => {
    const sent = await send(cleo, '/items/new', { _upload: name }, [part])
    return { status: sent.status, ...(JSON.parse(sent.text) as { value?: string; name?: string; message?: string }) }
  }
  const refused = await ahead('photo', ['photo', pdf, 'a.png'])
  expect(refused).toMatchObject({ status: 422, message: expect.stringContaining('JPEG, PNG') })
  const kept = await ahead('photo', ['photo', png, 'ahead.png'])
  expect(kept).toMatchObject({ status: 200, name: 'ahead.png' })
  // A name that leads elsewhere, and nowhere, is no name: the file is taken without it.
  for (const name of ['..', 'photos/'])
    expect(await ahead('photo', ['photo', png, name])).toMatchObject({ status: 200, name: 'file.png' })
  await cleo.submit('/items/new', '/items/new', { tag: 'CA-DRAFT', photo: kept.value!, _keep: 'draft' })
  const { runtime } = web.run
  const files = folderFiles(folder)
  const later = new Date(web.run.now.getTime() + 48 * 3_600_000)
  await tidyFiles(runtime, files, later)
  expect(contents()).toContain(kept.value!.slice(0, 64))
  await runtime.store.query(sql`delete from ninefold.draft`)
  await tidyFiles(runtime, files, later)
  expect(contents()).not.toContain(kept.value!.slice(0, 64))
  // Somebody sends one at this moment: how far the application's clock is set forward says nothing of it.
  const onItsWay = join(files.staging, 'on-its-way')
  writeFileSync(onItsWay, 'half of it')
  await tidyFiles(runtime, files, new Date('2032-03-01T10:00:00Z'))
  expect(existsSync(onItsWay)).toBe(true)
  rmSync(onItsWay)
})

test('what was sent is there to be had, byte for byte, with headers that let nothing run', async () => {
  const sent = await send(cleo, '/items/new', { tag: 'CA-1' }, [
    ['photo', png, 'Caf\u00e9 (1).png'],
    ['manual', pdf, '../../etc/manual.pdf'],
  ])
  expect(sent.location).toBe('/items/CA-1')
  const { text } = await cleo.get('/items/CA-1')
  const [photo = ''] = /\/-\/files\/item\/[^"]+\/photo/.exec(text) ?? []
  expect(text).toContain(`<img class="thumb" src="${photo}"`)
  expect(text).toContain('>manual.pdf</a>')
  const image = await fetch(cleo.url + photo, { headers: { cookie: cookieOf(cleo) } })
  expect(Buffer.from(await image.arrayBuffer())).toEqual(png)
  expect(Object.fromEntries(image.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(png.length),
    'content-disposition': `inline; filename="Caf_ (1).png"; filename*=UTF-8''Caf%C3%A9%20%281%29.png`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  })
  const again = await cleo.get(photo, { 'if-none-match': image.headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
  expect((await cleo.request('HEAD', photo)).headers.get('content-length')).toBe(String(png.length))
  const manual = await cleo.get(photo.replace(/photo$/, 'manual'))
  expect(manual.headers.get('content-type')).toBe('application/pdf')
  expect(manual.headers.get('content-disposition')).toMatch(/^attachment; filename="manual\.pdf"/)
  await send(cleo, '/items/new', { tag: 'CA-TEXT' }, [['manual', 'Größe: 3 × 4', 'manual.txt']])
  const [address = ''] = /\/-\/files\/item\/[^"?]+\/manual/.exec((await cleo.get('/items/CA-TEXT')).text) ?? []
  expect((await cleo.get(address)).headers.get('content-type')).toBe('text/plain; charset=utf-8')
  // In a frame of the record's page, and of nobody else's; anything but a document stays a download.
  const frame = `${photo.replace(/photo$/, 'manual')}?as=frame`
  expect(text).toContain(`<iframe src="${frame}#navpanes=0" title="Manual: manual.pdf"`)
  expect(Object.fromEntries((await cleo.get(frame)).headers)).toMatchObject({
    'content-disposition': expect.stringMatching(/^inline; filename="manual\.pdf"/),
    'content-security-policy': "default-src 'none'; object-src 'self'; frame-ancestors 'self'",
    'x-frame-options': 'SAMEORIGIN',
  })
  expect((await cleo.get(`${photo}?as=frame`)).headers.get('content-security-policy')).toContain('sandbox')
})

describe('a file is only for those who see its field of its record', () => {
  let address = ''

  beforeAll(async () => {
    await send(cleo, '/items/new', { tag: 'CA-2' }, [
      ['photo', png, 'a.png'],
      ['secret', 'hush', 'secret.txt'],
    ])
    const { text } = await cleo.get('/items/CA-2')
    address = /\/-\/files\/item\/[^"]+\/photo/.exec(text)![0]
  })

  test('another person, a visitor and other addresses find nothing', async () => {
    expect((await ben.get(address)).status).toBe(404)
    const visitor = await web.browser(null)
    expect((await visitor.get(address)).location).toMatch(/^\/-\/sign-in/)
    for (const other of ['tag', 'nope', 'photo/x', '..%2fsecret', '__proto__'])
      expect((await cleo.get(address.replace('photo', other))).status).toBe(404)
    expect((await cleo.get(address.replace('/item/', '/person/'))).status).toBe(404)
  })

  test('a field that is hidden from a role is, with all that is in it', async () => {
    await web.run.runtime.store.inTransaction(tx =>
      tx.write(sql`update item set keeper = ${web.run.people.Ben} where tag = 'CA-2'`),
    )
    expect((await ben.get(address)).status).toBe(200)
    expect((await ben.get(address.replace('photo', 'secret'))).status).toBe(404)
    expect((await ben.get('/items/CA-2')).text).not.toContain('secret.txt')
    expect((await cleo.get(address.replace('photo', 'secret'))).text).toBe('hush')
  })

  test('who knows a digest has nothing of it: only what one sent oneself can be named', async () => {
    const [row] = await web.run.runtime.store.query<{ secret: string }>(sql`select secret from item where tag = 'CA-2'`)
    const stolen = await ben.json(
      'POST',
      '/api/v1/item',
      { tag: 'CA-3', manual: row!.secret },
      { 'sec-fetch-site': 'same-origin' },
    )
    expect(stolen.status).toBe(422)
    expect(JSON.parse(stolen.text).errors).toMatchObject([{ code: 'NF-FILE', pointer: '/manual' }])
    const inForm = await send(ben, '/items/new', { tag: 'CA-3', manual: row!.secret }, [])
    expect(inForm.status).toBe(422)
    expect(inForm.text).toContain('Manual does not name a file that you sent.')
  })
})

describe('a file that does not fit is refused in words, and nothing is kept of it', () => {
  const refusals: readonly (readonly [string, readonly Part[], string])[] = [
    [
      '6 MB',
      [['photo', Buffer.concat([png, Buffer.alloc(6 * mebibyte)]), 'large.png']],
      'Photo must be a file of at most 5 MB; this one is larger.',
    ],
    [
      'a PDF renamed to .jpg',
      [['photo', pdf, 'photo.jpg']],
      'Photo must be a file of the kind JPEG, PNG; this one is PDF.',
    ],
    [
      'HTML',
      [['manual', Buffer.from('\u0000<script>'), 'x.html']],
      'Manual must be a file of the kind PDF, text; this one is application/octet-stream.',
    ],
    ['nothing in it', [['photo', '', 'empty.png']], 'Photo: the file is empty.'],
  ]

  test.each(refusals)('%s', async (_, files, message) => {
    const before = contents()
    const page = await send(cleo, '/items/new', { tag: 'NO-1', note: 'still here' }, files)
    expect(page.status).toBe(422)
    expect(page.text.replaceAll('&#x27;', "'")).toContain(message)
    expect(page.text).toContain('value="still here"')
    expect(page.text).toContain(`href="#${files[0]![0]}"`)
    expect(contents()).toEqual(before)
  })

  test('a name that ends as something else is kept with the ending of what the file is', async () => {
    const files = [['manual', pdf, 'manual.jpg']] as const
    expect((await send(cleo, '/items/new', { tag: 'ENDING' }, [...files])).status).toBe(303)
    const [kept] = await web.run.runtime.store.query<{ manual: string }>(
      sql`select manual from public.item where tag = 'ENDING'`,
    )
    expect(kept!.manual).toMatch(/ application\/pdf manual\.jpg\.pdf$/)
  })

  test('5 MB exactly is taken', async () => {
    const file = Buffer.concat([png, Buffer.alloc(5 * mebibyte - png.length)])
    expect((await send(cleo, '/items/new', { tag: 'FIVE' }, [['photo', file, 'five.png']])).status).toBe(303)
  })

  test('far too much is refused early, with the reason, and nobody hangs', async () => {
    const { headers } = multipart([])
    const api = await cleo.json('POST', '/api/v1/item', { name: 'x'.repeat(2_000_000) })
    expect([api.status, api.headers.get('content-type'), JSON.parse(api.text).detail]).toEqual([
      413,
      'application/problem+json; charset=utf-8',
      'This is more than can be accepted at once.',
    ])
    const head = `POST /items/new HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookieOf(cleo)}\r\nsec-fetch-site: same-origin\r\ncontent-type: ${headers['content-type']}\r\ncontent-length: 5000000000\r\n\r\n`
    const { connect } = await import('node:net')
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(web.web.port, '127.0.0.1')
      let text = ''
      socket.on('data', data => {
        text += String(data)
      })
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
      socket.write(head)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain('This is more than can be accepted at once.')
  })

  test('more parts or files than a form has are refused, and empty ones are counted', async () => {
    const fields = Object.entries(fieldsOf((await cleo.get('/items/new')).text, '/items/new'))
    const { headers, body } = multipart(fields)
    const [boundary = ''] = String(body).split('\r\n', 1)
    const bare = Buffer.from(`${boundary}\r\n\r\n\r\n`.repeat(formFields))
    const none = await cleo.request('POST', '/items/new', { headers, body: Buffer.concat([bare, body]) })
    expect([none.status, /A form has at most 2,?000 fields/.test(none.text)]).toEqual([413, true])
    const many = Array.from({ length: filesOfForm + 1 }, (): Part => ['manual', png, 'a.png'])
    expect((await send(cleo, '/items/new', { tag: 'MANY' }, many)).status).toBe(413)
    // A browser sends a part for every control in which nothing was chosen.
    const unchosen = Array.from({ length: filesOfForm + 1 }, (): Part => ['manual', '', ''])
    const last = Buffer.concat([png, Buffer.from('behind many that are empty')])
    const before = contents().length
    expect((await send(cleo, '/items/new', { tag: 'LAST' }, [...unchosen, ['photo', last, 'a.png']])).status).toBe(303)
    expect(contents().length).toBe(before + 1)
  })

  test('a body that ends early, or is none, is refused', async () => {
    const { body, headers } = multipart([['photo', png, 'a.png']])
    expect((await cleo.request('POST', '/items/new', { headers, body: body.subarray(0, 200) })).status).toBe(400)
    expect(
      (await cleo.request('POST', '/items/new', { headers: { 'content-type': 'multipart/form-data' }, body })).status,
    ).toBe(400)
  })

  test('without the token of the form nothing is kept', async () => {
    const before = contents()
    const unique = Buffer.concat([png, Buffer.from('without token')])
    expect(
      (
        await cleo.request(
          'POST',
          '/items/new',
          multipart([
            ['tag', 'X'],
            ['photo', unique, 'a.png'],
          ]),
        )
      ).status,
    ).toBe(403)
    const visitor = await web.browser(null)
    expect(
      (
        await visitor.request(
          'POST',
          '/items/new',
          multipart([
            ['tag', 'X'],
            ['photo', unique, 'a.png'],
          ]),
        )
      ).status,
    ).toBe(303)
    expect(contents()).toEqual(before)
  })
})

test('a form that comes back with another error has its file: nobody sends it twice', async () => {
  const refused = await send(cleo, '/items/new', { tag: '' }, [
    ['photo', Buffer.concat([png, Buffer.from('kept')]), 'kept.png'],
  ])
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('<b>kept.png</b>')
  const saved = await cleo.request(
    'POST',
    '/items/new',
    multipart([...Object.entries({ ...fieldsOf(refused.text, '/items/new'), tag: 'KEPT' }), ['photo', '', '']]),
  )
  expect(saved.location).toBe('/items/KEPT')
  expect((await cleo.get('/items/KEPT')).text).toContain('alt="kept.png"')
})

test('a file stays when nobody touches it, goes when its box is ticked, and the history tells its name', async () => {
  await send(cleo, '/items/new', { tag: 'EDIT' }, [['photo', png, 'first.png']])
  await send(cleo, '/items/EDIT/edit', { note: 'changed' }, [['photo', '', '']])
  expect((await cleo.get('/items/EDIT')).text).toContain('alt="first.png"')
  await send(cleo, '/items/EDIT/edit', {}, [['photo', Buffer.concat([png, Buffer.from('2')]), 'second.png']])
  const both = (await cleo.get('/items/EDIT')).text
  expect(both).toContain('alt="second.png"')
  expect(both).toContain('first.png')
  const gone = await send(cleo, '/items/EDIT/edit', {}, [['photo', '']])
  expect(gone.location).toBe('/items/EDIT')
  expect((await cleo.get('/items/EDIT')).text).not.toContain('class="thumb"')
})

test('a step asks for a photograph, and misses it where the rules say so', async () => {
  const made = await send(cleo, '/returns/new', {}, [])
  const page = `${made.location}/do/take_back`
  expect((await cleo.get(page)).text).toMatch(/enctype="multipart\/form-data"/i)
  const missing = await send(cleo, page, { condition: 'Damaged', remarks: 'The lens is broken.' }, [['photo', '', '']])
  expect(missing.status).toBe(422)
  expect(missing.text).toContain('Photo is missing.')
  const large = await send(cleo, page, { condition: 'Damaged', remarks: 'The lens is broken.' }, [
    ['photo', Buffer.concat([png, Buffer.alloc(6 * mebibyte)]), 'a.png'],
  ])
  expect(large.text).toContain('at most 5 MB')
  const done = await send(cleo, page, { condition: 'Damaged', remarks: 'The lens is broken.' }, [
    ['photo', png, 'broken.png'],
  ])
  expect(done.status).toBe(303)
  expect((await cleo.get(made.location!)).text).toContain('alt="broken.png"')
})

test('rows have files of their own, told apart by their rows', async () => {
  const large = Buffer.concat([png, Buffer.alloc(200_000)])
  const refused = await send(cleo, '/returns/new', { 'parts.0.name': 'Strap', 'parts.2.name': 'Cap' }, [
    ['parts.0.picture', png, 'strap.png'],
    ['parts.2.picture', large, 'cap.png'],
  ])
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('Picture must be a file of at most 100 kB')
  expect(refused.text).toContain('href="#parts-1-picture"')
  const saved = await cleo.request(
    'POST',
    '/returns/new',
    multipart([
      ...Object.entries(fieldsOf(refused.text, '/returns/new')),
      ['parts.1.picture', png, 'cap.png'],
      ['snaps.0.picture', png, 'snap.png'],
    ]),
  )
  expect(saved.status).toBe(303)
  const { text } = await cleo.get(saved.location!)
  // The timeline names rows by what is in them, where nothing else does.
  expect([...text.matchAll(/<ins>([^<]*)<\/ins>/g)].map(([, became]) => became).slice(-3)).toEqual([
    'Strap',
    'Cap',
    'snap.png',
  ])
  const [row = ''] = /\/-\/files\/part\/[^"]+\/picture/.exec(text) ?? []
  expect((await cleo.get(row)).status).toBe(200)
  expect((await ben.get(row)).status).toBe(404)
})

test('what no record names goes a day later, and not before; the same content under another record stays', async () => {
  const { runtime } = web.run
  const files = folderFiles(folder)
  const orphan = Buffer.concat([png, Buffer.from('orphan')])
  await cleo.request('POST', '/api/v1/-/files', multipart([['file', orphan, 'orphan.png']]))
  const before = contents()
  expect(await tidyFiles(runtime, files, web.run.now)).toBe(0)
  expect(contents()).toEqual(before)
  const later = new Date(web.run.now.getTime() + 25 * 3_600_000)
  expect(await tidyFiles(runtime, files, later)).toBeGreaterThan(0)
  const left = contents()
  const digests = await runtime.store.query<{ digest: string }>(sql`
    select left(photo, 64) as digest from item where photo is not null union select left(manual, 64) from item where manual is not null
    union select left(secret, 64) from item where secret is not null union select left(photo, 64) from "return" where photo is not null
    union select left(picture, 64) from part where picture is not null`)
  expect([...left].sort()).toEqual(digests.map(({ digest }) => digest).sort())
  expect(await tidyFiles(runtime, files, later)).toBe(0)
})

test('all files together have the room that the document gives them, whoever comes at the same time', async () => {
  const { store } = web.run.runtime
  const [used] = await store.query<{ sum: string }>(
    sql`select coalesce(sum(size), 0) as sum from (select distinct digest, size from ninefold.file) as f`,
  )
  const left = png.length + 10
  const others = sql`insert into ninefold.file values (${testId()}::uuid, 'f', 'text/plain', 'a', ${100 * mebibyte - Number(used!.sum) - left}::bigint, now())`
  await store.inTransaction(tx => tx.write(others))
  const before = contents()
  const replies = await Promise.all(
    [cleo, ben, cleo, ben].map((browser, number) =>
      browser.request(
        'POST',
        '/api/v1/-/files',
        multipart([['file', Buffer.concat([png, Buffer.from(`room ${number}`)]), 'a.png']]),
      ),
    ),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422])
  const refusals = replies.filter(({ status }) => status === 422).map(({ text }) => JSON.parse(text).errors[0].code)
  expect(new Set(refusals)).toEqual(new Set(['NF-FILE-STORAGE']))
  expect(contents()).toHaveLength(before.length + 1)
  const form = await send(cleo, '/items/new', { tag: 'ROOM' }, [['photo', Buffer.concat([png, png]), 'a.png']])
  expect([form.status, form.text.includes('all files together may take 100 MB')]).toEqual([422, true])
  expect(contents()).toHaveLength(before.length + 1)
  await store.inTransaction(tx => tx.write(sql`delete from ninefold.file where digest = 'f'`))
})

test('where the disk takes nothing, whoever sends a file hears so at its end, and everything else goes on', async () => {
  const incoming = join(folder, 'incoming')
  rmSync(incoming, { recursive: true, force: true })
  writeFileSync(incoming, 'no folder')
  try {
    const large = Buffer.concat([png, Buffer.alloc(mebibyte)])
    expect((await send(cleo, '/items/new', { tag: 'FULL' }, [['photo', large, 'a.png']])).status).toBe(503)
    const byProgram = await cleo.request('POST', '/api/v1/-/files', multipart([['file', large, 'a.png']]))
    expect(JSON.parse(byProgram.text)).toMatchObject({ status: 503 })
    expect(web.log.at(-2)).toMatchObject({
      event: 'unavailable',
      detail: { error: { message: expect.stringMatching(/^No file can be kept in .*: it is no folder$/) } },
    })
    expect((await cleo.submit('/items/new', '/items/new', { tag: 'NOT-FULL' })).status).toBe(303)
  } finally {
    rmSync(incoming)
  }
})

test('a file with a virus is not kept, nor is any while the scanner is away', async () => {
  const [before, logged] = [contents(), web.log.length]
  const virus = Buffer.concat([png, Buffer.from('a virus')])
  const refused = await send(cleo, '/items/new', { tag: 'VIRUS' }, [['photo', virus, 'a.png']])
  expect([refused.status, refused.text.includes('the virus scanner found Test-Virus in this file')]).toEqual([
    422,
    true,
  ])
  const byProgram = () => cleo.request('POST', '/api/v1/-/files', multipart([['file', virus, 'a.png']]))
  expect(JSON.parse((await byProgram()).text)).toMatchObject({ status: 422, errors: [{ code: 'NF-FILE-VIRUS' }] })
  await new Promise(resolve => clamd.server.close(resolve))
  const away = await send(cleo, '/items/new', { tag: 'VIRUS' }, [['photo', png, 'b.png']])
  expect([away.status, away.text.includes('cannot be checked for viruses at the moment')]).toEqual([503, true])
  expect(JSON.parse((await byProgram()).text)).toMatchObject({ status: 503, errors: [{ code: 'NF-FILE-UNSCANNED' }] })
  expect(contents()).toEqual(before)
  expect(web.log.slice(logged).filter(({ event }) => event === 'file')).toHaveLength(4)
})

const cookieOf = (browser: TestBrowser): string =>
  [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
