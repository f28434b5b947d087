/** What a client of any application consists of; `ninefold types --client` puts the types of one before it. */

/** What there is of an entity. */
interface OfEntity {
  readonly record: object
  readonly create: object
  readonly change: object
  readonly filters: object
  /** What each step asks for. */
  readonly steps: object
  readonly sorts: string
}

export interface Options {
  /** Where the application is served: https://desk.example.org */
  readonly url: string
  /** A key of somebody's account page: nf_… */
  readonly key: string
  /** Default: the one of the platform. */
  readonly fetch?: typeof globalThis.fetch
}

/** One problem of a refusal. */
export interface Problem {
  readonly code: string
  readonly detail: string
  readonly whatToDo?: string
  readonly warning?: true
  /** The field, as a JSON pointer: /lines/0/item */
  readonly pointer?: string
}

/** The application refuses: with what is wrong, and what to do. */
export class Refused extends Error {
  readonly status: number
  readonly code: string | null
  readonly whatToDo: string | null
  readonly problems: readonly Problem[]
  /** Codes of warnings: confirm them with the same call, after asking the person whom it concerns. */
  readonly confirm: readonly string[]

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(String(body.detail ?? body.title ?? `Status ${status}`))
    this.name = 'Refused'
    this.status = status
    this.code = typeof body.code === 'string' ? body.code : null
    this.whatToDo = typeof body.whatToDo === 'string' ? body.whatToDo : null
    this.problems = Array.isArray(body.errors) ? body.errors : []
    this.confirm = Array.isArray(body.confirm) ? body.confirm : []
  }
}

export interface Page<Record> {
  readonly data: readonly Record[]
  /** Give it as `after` for the next page. */
  readonly next: string | null
  readonly previous: string | null
  /** With `count`, up to 1,000. */
  readonly count?: number
  readonly more?: boolean
}

export interface Query<Of extends OfEntity> {
  readonly where?: Of['filters']
  /** Words to look for. */
  readonly q?: string
  readonly sort?: Of['sorts'] | readonly Of['sorts'][]
  readonly limit?: number
  readonly after?: string
  readonly before?: string
  readonly count?: true
  /** With `_names`: what the records are called that fields name. */
  readonly with?: 'names'
}

export interface Writing {
  /** That was read: refused where the record has changed since. */
  readonly version?: number
  /** Codes of warnings that somebody has read. */
  readonly confirm?: readonly string[]
  /** The same call with the same key happens once. */
  readonly idempotencyKey?: string
}

export interface Records<Of extends OfEntity> {
  list(query?: Query<Of>): Promise<Page<Of['record']>>
  /** All of them, page by page. */
  all(query?: Query<Of>): AsyncGenerator<Of['record'], void, undefined>
  /** Null: it is not there, or may not be seen. */
  get(id: string, query?: Pick<Query<Of>, 'with'>): Promise<Of['record'] | null>
  create(values: Of['create'], how?: Writing): Promise<Of['record']>
  change(id: string, values: Of['change'], how?: Writing): Promise<Of['record'] | null>
  remove(id: string, how?: Writing): Promise<void>
  /** What was archived is there again. */
  restore(id: string, how?: Writing): Promise<Of['record'] | null>
  /** Null: the record is where it may not be seen any more. */
  take<Step extends keyof Of['steps'] & string>(
    id: string,
    step: Step,
    ...asked: object extends Of['steps'][Step]
      ? [values?: Of['steps'][Step], how?: Writing]
      : [values: Of['steps'][Step], how?: Writing]
  ): Promise<Of['record'] | null>
}

/** By the keys of entities. */
export type Client<All extends { readonly [Key in keyof All]: OfEntity }> = {
  readonly [Key in keyof All]: Records<All[Key]>
}

function connect<All extends { readonly [Key in keyof All]: OfEntity }>(
  { url, key, fetch = globalThis.fetch }: Options,
  entities: readonly (keyof All & string)[],
): Client<All> {
  const ask = async (method: string, path: string, values?: object, how: Writing = {}): Promise<unknown> => {
    const response = await fetch(new URL(`/api/v1/${path}`, url), {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json',
        ...(values === undefined ? {} : { 'content-type': 'application/json' }),
        ...(how.version === undefined ? {} : { 'if-match': `"${how.version}"` }),
        ...(how.confirm === undefined ? {} : { 'confirm-warnings': how.confirm.join(',') }),
        ...(how.idempotencyKey === undefined ? {} : { 'idempotency-key': how.idempotencyKey }),
      },
      ...(values === undefined ? {} : { body: JSON.stringify(values) }),
    })
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    const body: unknown = isJson && text !== '' ? JSON.parse(text) : null
    if (!response.ok) throw new Refused(response.status, (body ?? {}) as Readonly<Record<string, unknown>>)
    return body
  }
  const records = (entity: string): Records<OfEntity> => ({
    list: async query => (await ask('GET', `${entity}?${parametersOf(query ?? {})}`)) as Page<object>,
    async *all(query = {}) {
      for (let after = query.after; ; ) {
        const page: Page<object> = await this.list({ ...query, ...(after === undefined ? {} : { after }) })
        yield* page.data
        if (page.next === null) return
        after = page.next
      }
    },
    get: (id, query = {}) =>
      ask('GET', `${entity}/${id}?${parametersOf(query)}`).catch((error: unknown) => {
        if (error instanceof Refused && error.status === 404) return null
        throw error
      }) as Promise<object | null>,
    create: (values, how) => ask('POST', entity, values, how) as Promise<object>,
    change: (id, values, how) => ask('PATCH', `${entity}/${id}`, values, how) as Promise<object | null>,
    remove: async (id, how) => void (await ask('DELETE', `${entity}/${id}`, undefined, how)),
    restore: (id, how) => ask('POST', `${entity}/${id}/restore`, {}, how) as Promise<object | null>,
    take: (id, step, values?: object, how?: Writing) =>
      ask('POST', `${entity}/${id}/${step}`, values ?? {}, how) as Promise<object | null>,
  })
  return Object.fromEntries(entities.map(entity => [entity, records(entity)])) as unknown as Client<All>
}

function parametersOf({ where = {}, sort, count, ...others }: Query<OfEntity>): URLSearchParams {
  const parameters = new URLSearchParams()
  const given = { ...where, ...others, sort: typeof sort === 'object' ? sort.join(',') : sort, count: count && 'yes' }
  for (const [name, value] of Object.entries(given))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) parameters.append(name, one === true ? 'yes' : one === false ? 'no' : String(one))
  return parameters
}
