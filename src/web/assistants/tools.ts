/** What assistants may do with the application: questions to its API in their words. Each has the rights of whoever's key it is. */
import { z } from 'zod'
import { deleting } from '../../headings/1-product/document-for.ts'
import { readWhy } from '../../run/access/why.ts'
import { raise } from '../../run/problems/raise.ts'
import type { WhyView } from '../../ui/why.tsx'
import { askApi } from '../api/api.ts'
import type { Json } from '../api/json.ts'
import { openapi } from '../api/openapi.ts'
import { problems } from '../api/problem.ts'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { recordAddress } from '../routes.ts'
import { whyView } from '../screens/why.ts'

export interface ToolResult {
  readonly text: string
  readonly isError: boolean
}

interface Tool {
  readonly title: string
  readonly description: string
  /** What else is given is refused: left out, it would be taken for done. */
  readonly takes: z.ZodObject
  /** It changes nothing. */
  readonly reads?: true
  /** What it does cannot be taken back, or not by whoever did it. */
  readonly ends?: true
  readonly run: (context: RequestContext, given: Readonly<Record<string, unknown>>) => Promise<ToolResult>
}

const entity = z.string().describe('Its key, as describe gives it: loan_line')
const id = z.string().describe('The id of the record')
const values = z
  .record(z.string(), z.unknown())
  .describe(
    'By the keys of fields. References are ids; decimals and amounts texts like "12.50"; days 2026-03-28; moments in RFC 3339.',
  )
const version = z.int().optional().describe('The version that was read: refused where the record has changed since.')
const confirm = z
  .array(z.string())
  .optional()
  .describe('Codes of warnings, as a refusal gave them as `confirm`. Ask the person before you confirm any.')
const one = z.union([z.string(), z.number(), z.boolean()])

export const tools: Readonly<Record<string, Tool>> = {
  describe: {
    title: 'What there is',
    description:
      'Without an entity: the kinds of records that this key reaches. With one: its fields, what may be asked for, created, changed, and its steps. Begin here.',
    takes: z.strictObject({ entity: entity.optional() }),
    reads: true,
    run: async (context, { entity }) => described(context, typeof entity === 'string' ? entity : null),
  },
  find: {
    title: 'Find records',
    description:
      'Records of an entity, page by page: by words (q), by filters as describe names them, sorted. Only what this key may see.',
    takes: z.strictObject({
      entity,
      q: z.string().optional().describe('Words to look for'),
      filters: z
        .record(z.string(), z.union([one, z.array(one)]))
        .optional()
        .describe('{ "state": ["Out", "Late"], "due_back.before": "2026-03-01" }; a list: one of several'),
      sort: z.string().optional().describe('Field keys, parted by commas; - before one: last first'),
      limit: z.int().min(1).optional(),
      after: z.string().optional().describe('What a page gave as next'),
    }),
    reads: true,
    run: (context, { entity, q, filters = {}, sort, limit, after }) => {
      const asked = Object.entries({ ...(filters as object), q, sort, limit, after, count: 'yes', with: 'names' })
      const query = asked.flatMap(([name, value]) => [value ?? []].flat().map(one => [name, one] as const))
      return answered(context, 'GET', [entity], { query })
    },
  },
  read: {
    title: 'Read a record',
    description: 'One record with its rows, its state, and the steps that can be taken now.',
    takes: z.strictObject({ entity, id }),
    reads: true,
    run: (context, { entity, id }) => answered(context, 'GET', [entity, id], { query: [['with', 'names']] }),
  },
  create: {
    title: 'Create a record',
    description: 'A new record. A refusal names the fields and says what to do.',
    takes: z.strictObject({ entity, values, confirm }),
    run: (context, { entity, values, confirm }) => answered(context, 'POST', [entity], { body: values, confirm }),
  },
  change: {
    title: 'Change a record',
    description: 'Sets the fields that are named; the others stay.',
    takes: z.strictObject({ entity, id, values, version, confirm }),
    run: (context, { entity, id, values, version, confirm }) =>
      answered(context, 'PATCH', [entity, id], { body: withVersion(values, version), confirm }),
  },
  take_step: {
    title: 'Take a step',
    description:
      'Takes a record to another state, with what the step asks for in values. What follows (mails, calls) leaves at once: where it matters, ask the person first. What is left to the person comes back with an address for them.',
    takes: z.strictObject({
      entity,
      id,
      step: z.string().describe('Its key: hand_out'),
      values: values.optional(),
      version,
      confirm,
    }),
    ends: true,
    run: (context, { entity, id, step, values = {}, version, confirm }) =>
      leftToPerson(context, entity, id, String(step).replaceAll('-', '_')) ??
      answered(context, 'POST', [entity, id, step], { body: withVersion(values, version), confirm }),
  },
  delete: {
    title: 'Delete a record',
    description: 'Deletes a record, or archives it where the application does. Ask the person first.',
    takes: z.strictObject({ entity, id, confirm }),
    ends: true,
    run: (context, { entity, id, confirm }) =>
      leftToPerson(context, entity, id, deleting) ?? answered(context, 'DELETE', [entity, id], { confirm }),
  },
  why: {
    title: 'Ask why not',
    description: 'What may and may not be done with a record, step by step and field by field, and why not.',
    takes: z.strictObject({ entity, id }),
    reads: true,
    run: whyNot,
  },
}

const withVersion = (values: unknown, version: unknown): unknown =>
  version === undefined ? values : { ...(values as object), version }

/** What the document wants a person to do; null: anything else. */
function leftToPerson(context: RequestContext, entity: unknown, id: unknown, act: string): Promise<ToolResult> | null {
  const { site, web } = context
  const isLeft = site.app.assistantsAsk.some(one => one.step === act && (one.entity ?? entity) === entity)
  if (!isLeft) return null
  const address = web.origin + recordAddress(String(entity), String(id), act)
  return Promise.resolve(said(problems(context, 403, [raise(site.app, 'NF-ASK-PERSON', { address })])))
}

interface Sent {
  readonly query?: readonly (readonly [string, unknown])[]
  readonly body?: unknown
  readonly confirm?: unknown
}

async function answered(
  context: RequestContext,
  method: string,
  path: readonly unknown[],
  { query = [], body, confirm }: Sent = {},
): Promise<ToolResult> {
  const codes = Array.isArray(confirm) && confirm.length > 0 ? { 'confirm-warnings': confirm.join(',') } : {}
  return said(
    await askApi(context, {
      method,
      path: path.map(String),
      query: new URLSearchParams(query.map(([name, value]) => [name, String(value)])),
      body: body === undefined ? null : JSON.stringify(body),
      headers: codes,
    }),
  )
}

const said = ({ status, body }: HttpResponse): ToolResult => ({
  text: status === 204 ? 'Done.' : String(body),
  isError: status >= 400,
})

/** What the description of the API says of one entity, or which there are. */
function described(context: RequestContext, entity: string | null): ToolResult {
  const { paths, tags, components } = openapi(context) as unknown as {
    readonly paths: Readonly<Record<string, Json>>
    readonly tags: Json
    readonly components: { readonly schemas: Readonly<Record<string, Json>> }
  }
  const names = [...context.site.app.entities.values()].filter(({ key }) =>
    Object.keys(paths).some(path => isOf(path, key)),
  )
  if (entity === null)
    return {
      text: JSON.stringify({
        application: context.site.app.name,
        entities: names.map(({ key, name }) => ({ key, name })),
        about: tags,
      }),
      isError: false,
    }
  const own = Object.fromEntries(Object.entries(paths).filter(([path]) => isOf(path, entity)))
  if (Object.keys(own).length === 0)
    return {
      text: `There is no ${entity} for this key. There are: ${names.map(({ key }) => key).join(', ')}.`,
      isError: true,
    }
  return { text: JSON.stringify({ paths: own, schemas: schemasIn(own, components.schemas) }), isError: false }
}

const isOf = (path: string, entity: string): boolean =>
  path === `/api/v1/${entity}` || path.startsWith(`/api/v1/${entity}/`)

/** The schemas that something refers to, and those that these refer to. */
function schemasIn(of: Json, all: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  const found = new Map<string, Json>()
  const add = (part: Json) => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      if (!found.has(name!) && name !== 'Problem' && all[name!] !== undefined) {
        found.set(name!, all[name!]!)
        add(all[name!]!)
      }
  }
  add(of)
  return Object.fromEntries(found)
}

async function whyNot(context: RequestContext, given: Readonly<Record<string, unknown>>): Promise<ToolResult> {
  const { runtime, request, site } = context
  const why = await readWhy(runtime, request, {
    entity: String(given.entity),
    by: { field: 'id', value: String(given.id) },
  })
  if (why === null) return { text: 'There is no such record for this key.', isError: true }
  const { title, who, groups } = whyView(site, why, null)
  const parts = groups.map(group => [group.title, ...group.items.map(line)].join('\n'))
  return { text: [title, who, ...parts].join('\n\n'), isError: false }
}

const line = ({ label, open, why }: WhyView): string => `${open ? 'yes' : 'no '}  ${label}: ${why}`
