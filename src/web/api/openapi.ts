/** OpenAPI 3.1 of the application, as far as the asking person may use it: made from the same model that the API obeys. */
import type { Entity, Field } from '../../headings/3-entities/model.ts'
import { isUnspecified } from '../../headings/said.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { filterableFields, filterName } from '../../kinds/screens/query.ts'
import { type Allow, allowFor } from '../../run/allow.ts'
import { approvalsOf } from '../../run/approvals.ts'
import { longestComment } from '../../run/commenting.ts'
import { reasonLimit } from '../../run/decide.ts'
import { opensIn } from '../../run/read-log.ts'
import { visibleFields, visibleLists } from '../../run/select.ts'
import { notSettable } from '../../run/settable.ts'
import type { Exchange } from '../exchange.ts'
import { apiRows, pageRows } from '../settings.ts'
import { askedBy } from '../site.ts'
import { commentsName, hasComments } from './comments.ts'
import { emergencyAddress } from './emergency.ts'
import type { Json } from './json.ts'

interface Describing {
  readonly exchange: Exchange
  readonly allow: Allow
}

export function openapi(exchange: Exchange): Json {
  const { site, request, web } = exchange
  const allow = allowFor(site.app, request.actor)
  const describing = { exchange, allow }
  const entities = [...site.app.entities.values()].filter(
    ({ key, partOf }) =>
      partOf === null &&
      (allow.rows(key, 'see', 't') !== false ||
        allow.rows(key, 'create', 't') !== false ||
        opensIn(site.app, request.actor, key)),
  )
  return {
    openapi: '3.1.1',
    info: {
      title: site.app.name,
      version: site.app.version,
      ...(site.app.product.prose[0] === undefined ? {} : { description: site.app.product.prose[0].text }),
    },
    servers: [{ url: web.origin }],
    security: [{ key: [] }, { session: [] }],
    tags: entities.map(({ name, meaning }) => ({
      name,
      ...(meaning[0] === undefined ? {} : { description: meaning[0].text }),
    })),
    paths: {
      ...(Object.assign({}, ...entities.map(entity => pathsOf(describing, entity))) as Json),
      ...receivePaths(describing, entities),
      ...(entities.some(entity => fileFields(describing, entity).length > 0) ? { '/api/v1/-/files': sendingPath } : {}),
    },
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: web.jar.session },
        ...(site.app.receives.size === 0
          ? {}
          : {
              senderKey: { type: 'http', scheme: 'bearer' },
              senderSignature: { type: 'apiKey', in: 'header', name: 'Ninefold-Signature' },
            }),
        key: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'nf_…',
          description:
            'A key that a person made on their account page: it acts as them, in one of their roles, until it ends.',
        },
      },
      schemas: {
        ...Object.assign({}, ...entities.map(entity => schemasOf(describing, entity))),
        Problem: problemSchema,
      },
      responses: {
        Problem: {
          description: 'What was asked for did not happen.',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
      parameters: {
        id: { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
        ifMatch: {
          name: 'If-Match',
          in: 'header',
          description: 'The entity tag that was read: if the record has another one by now, nothing happens (412).',
          schema: { type: 'string' },
        },
        idempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'A repeat with the same key and content happens once.',
          schema: { type: 'string', minLength: 1, maxLength: 200 },
        },
        confirmWarnings: {
          name: 'Confirm-Warnings',
          in: 'header',
          description:
            'Codes of warnings that are confirmed, parted by commas: those that a refusal gave as `confirm`.',
          schema: { type: 'string' },
        },
        prefer: {
          name: 'Prefer',
          in: 'header',
          description: '`return=minimal`: the answer has the entity tag (and the id of a new record), not the record.',
          schema: { type: 'string' },
        },
      },
    },
  }
}

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const parameter = (name: string): Json => ({ $ref: `#/components/parameters/${name}` })

const littleAnswer = { description: 'Done; the record is not wanted, or not seen any more.' }

/** `Loan line` → `LoanLine`. */
const schemaName = (name: string): string =>
  name.replace(/(?:^|[\s_-]+)(\p{L})/gu, (_, letter: string) => letter.toUpperCase()).replace(/[^A-Za-z0-9._-]/g, '_')

/** Messages of others, for whoever sees what they are about. They are let in by a key of their own, not by a session. */
function receivePaths({ exchange, allow }: Describing, entities: readonly Entity[]): Json {
  const { app } = exchange.site
  return Object.fromEntries(
    [...app.receives.values()].flatMap((receive): [string, Json][] => {
      const entity = entities.find(({ key }) => key === receive.entity)
      if (entity === undefined || allow.rows(entity.key, 'see', 't') === false) return []
      const visible = visibleFields(app, allow, entity.key)
      const takes = receive.takes.filter(({ field }) => visible.includes(field))
      const keys = takes.map(({ field }) => field)
      const shown = objectOf(app, entity, keys, {}, []).properties as Readonly<Record<string, Json>>
      const properties = Object.fromEntries(takes.map(({ name, field }) => [name, shown[field] ?? {}]))
      const once = receive.once === null ? {} : { [receive.once]: { type: ['string', 'number'] } }
      const operation = {
        operationId: `receive_${receive.key}`,
        summary: `Receive ${receive.key}`,
        tags: [entity.name],
        security: [{ [receive.proof.kind === 'key' ? 'senderKey' : 'senderSignature']: [] }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', properties: { ...properties, ...once } } } },
        },
        responses: answers('Taken.', {
          type: 'object',
          required: ['id', 'version'],
          properties: { id: idSchema, version: { type: 'integer' } },
        }),
      }
      return [[`/api/v1/-/${receive.key}`, { post: operation }]]
    }),
  )
}

function pathsOf({ exchange, allow }: Describing, entity: Entity): Json {
  const { key, name } = entity
  const schema = schemaName(name)
  const sees = allow.rows(key, 'see', 't') !== false
  const record = answers(`The ${name}.`, reference(schema), { headers: { ETag: { schema: { type: 'string' } } } })
  const body = (which: string) => ({ required: true, content: { 'application/json': { schema: reference(which) } } })
  const operation = (verb: string, summary: string, rest: Json): Json => ({
    operationId: `${verb}${schema}`,
    summary,
    tags: [name],
    ...rest,
  })
  const collection: Record<string, Json> = {}
  const warned = warnedBy(exchange.site.app, key)
  if (sees)
    collection.get = operation('list', `List ${name} records`, {
      parameters: listParameters({ exchange, allow }, entity),
      responses: answers('A page of records.', {
        type: 'object',
        required: ['data', 'next', 'previous'],
        properties: {
          data: { type: 'array', items: reference(schema) },
          next: { type: ['string', 'null'], description: 'Give it as `after` for the next page.' },
          previous: { type: ['string', 'null'], description: 'Give it as `before` for the page before.' },
          count: { type: 'integer', description: 'With `count=yes`, up to 1,000.' },
          more: { type: 'boolean', description: 'There are more than `count`.' },
        },
      }),
    })
  if (allow.rows(key, 'create', 't') !== false)
    collection.post = operation('create', `Create a ${name}`, {
      parameters: [parameter('idempotencyKey'), parameter('prefer'), ...warned],
      requestBody: body(`${schema}Create`),
      responses: { ...record, '201': { ...(record['200'] as Json), description: `The new ${name}.` } },
    })
  const one: Record<string, unknown> = { parameters: [parameter('id')] }
  if (sees || opensIn(exchange.site.app, exchange.request.actor, key))
    one.get = operation('get', `Get a ${name}`, { responses: record })
  if (allow.rows(key, 'change', 't') !== false)
    one.patch = operation('change', `Change a ${name}`, {
      parameters: [parameter('ifMatch'), parameter('idempotencyKey'), parameter('prefer'), ...warned],
      requestBody: body(`${schema}Change`),
      responses: { ...record, '204': littleAnswer },
    })
  if (allow.rows(key, 'delete', 't') !== false)
    one.delete = operation('delete', `Delete a ${name}`, {
      parameters: [parameter('ifMatch'), parameter('idempotencyKey'), ...warned],
      responses: { '204': { description: 'It is gone.' }, default: problemAnswer },
    })
  return {
    ...(Object.keys(collection).length === 0 ? {} : { [`/api/v1/${key}`]: collection }),
    ...(Object.keys(one).length === 1 ? {} : { [`/api/v1/${key}/{id}`]: one }),
    ...(sees && hasComments(exchange.site.app, exchange.request.actor, entity)
      ? { [`/api/v1/${key}/{id}/${commentsName}`]: commentPath(name, operation) }
      : {}),
    ...emergencyPath(exchange, entity),
    ...merged(stepPaths({ exchange, allow }, entity, record), filePaths({ exchange, allow }, entity)),
  }
}

/** A field and a step of the same name share an address: one is got, the other is posted to. */
function merged(left: Json, right: Json): Json {
  const both = Object.entries(right).map(([path, item]) => [
    path,
    { ...(left[path] as Json | undefined), ...(item as Json) },
  ])
  return { ...left, ...Object.fromEntries(both) }
}

const fileFields = ({ exchange, allow }: Describing, { key, fields }: Entity): readonly Field[] => {
  const visible = new Set(visibleFields(exchange.site.app, allow, key))
  return fields.filter(field => field.type.kind === 'file' && visible.has(field.key))
}

function filePaths(describing: Describing, entity: Entity): Json {
  const { key, name } = entity
  if (describing.allow.rows(key, 'see', 't') === false) return {}
  const content = { '*/*': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } }
  return Object.fromEntries(
    fileFields(describing, entity).map(field => [
      `/api/v1/${key}/{id}/${field.key}`,
      {
        parameters: [parameter('id')],
        get: {
          operationId: `get${schemaName(name)}${schemaName(field.key)}`,
          summary: `Get the content of ${field.label}`,
          tags: [name],
          responses: {
            '200': { description: 'The file.', headers: { ETag: { schema: { type: 'string' } } }, content },
            default: problemAnswer,
          },
        },
      },
    ]),
  )
}

const sendingPath: Json = {
  post: {
    operationId: 'sendFile',
    summary: 'Send a file; what this answers is the value of a field',
    requestBody: {
      required: true,
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: ['file'],
            properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
          },
        },
      },
    },
    responses: {
      '201': { description: 'It is kept.', content: { 'application/json': { schema: fieldKind('file').schema({}) } } },
      default: { $ref: '#/components/responses/Problem' },
    },
  },
}

/** Opening one record that this person does not see, with a reason and for a while. */
function emergencyPath(exchange: Exchange, { key, name }: Entity): Json {
  if (!opensIn(exchange.site.app, exchange.request.actor, key)) return {}
  const schema = {
    type: 'object',
    required: ['record', 'reason'],
    properties: {
      record: { type: 'string', description: 'Its id, or what no other record has: its number, for example.' },
      reason: { type: 'string', maxLength: reasonLimit, description: 'Why; kept in the log, with who and when.' },
    },
    additionalProperties: false,
  }
  const opened = {
    type: 'object',
    required: ['id', 'until'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      until: { type: ['string', 'null'], format: 'date-time', description: 'Null: this person sees it anyway.' },
    },
  }
  const content = { 'application/json': { schema: opened } }
  return {
    [emergencyAddress(key)]: {
      post: {
        operationId: `open${schemaName(name)}`,
        summary: `Open one ${name} in an emergency`,
        description: 'From then on it can be got by its id until that time. Every reading is written down.',
        tags: [name],
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: {
          '200': { description: 'Nothing had to be opened.', content },
          '201': { description: 'It is open.', content },
          default: problemAnswer,
        },
      },
    },
  }
}

/** What people say about a record. */
function commentPath(name: string, operation: (verb: string, summary: string, rest: Json) => Json): Json {
  const moment = { type: 'string', format: 'date-time' }
  const comment = {
    type: 'object',
    required: ['id', 'at', 'by', 'text', 'changed_at'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      at: moment,
      by: { type: ['string', 'null'] },
      text: { type: ['string', 'null'], description: 'Null: it was taken back.' },
      changed_at: { ...moment, type: ['string', 'null'] },
    },
  }
  return {
    parameters: [parameter('id')],
    get: operation('listCommentsOf', `List what is said about a ${name}, newest first`, {
      parameters: [
        {
          name: 'after',
          in: 'query',
          schema: { type: 'string', format: 'uuid' },
          description: 'What the answer before gave as `next`.',
        },
      ],
      responses: answers('A page of comments.', {
        type: 'object',
        required: ['data', 'next'],
        properties: { data: { type: 'array', items: comment }, next: { type: ['string', 'null'] } },
      }),
    }),
    post: operation('commentOn', `Comment on a ${name}`, {
      parameters: [parameter('idempotencyKey')],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['text'],
              properties: { text: { type: 'string', maxLength: longestComment } },
            },
          },
        },
      },
      responses: {
        '201': {
          description: 'It is said.',
          content: {
            'application/json': {
              schema: { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } },
            },
          },
        },
        default: problemAnswer,
      },
    }),
  }
}

function stepPaths({ exchange, allow }: Describing, entity: Entity, record: Json): Json {
  const { key, name } = entity
  const { app } = exchange.site
  const warned = warnedBy(app, key)
  const steps = new Map(
    (exchange.site.app.workflows.get(key)?.transitions ?? [])
      .filter(transition => allow.offers(key, transition))
      .map(transition => [transition.key, transition] as const),
  )
  return Object.fromEntries(
    [...steps.values()].map(step => [
      `/api/v1/${key}/{id}/${step.key}`,
      {
        parameters: [parameter('id')],
        post: {
          operationId: `${step.key}${schemaName(name)}`,
          summary: `${step.name}: ${isUnspecified(step.to) ? 'leads to what is not decided yet' : `leads to ${step.to}`}`,
          tags: [name],
          parameters: [parameter('ifMatch'), parameter('idempotencyKey'), parameter('prefer'), ...warned],
          ...stepBody(app, entity, step.key),
          responses: { ...record, '204': littleAnswer },
        },
      },
    ]),
  )
}

/** Only where something of the entity or its rows can be confirmed. */
const warnedBy = (app: Exchange['site']['app'], entity: string): readonly Json[] =>
  app.rules.some(rule => rule.warns && (rule.entity === entity || app.entities.get(rule.entity)?.partOf === entity))
    ? [parameter('confirmWarnings')]
    : []

/** What the step asks for. */
function stepBody(app: Exchange['site']['app'], entity: Entity, step: string): Json {
  if (approvalsOf(app, entity.key, step).length > 0) {
    const reason = { type: 'string', maxLength: reasonLimit, description: 'Why; kept with the decision.' }
    const version = { type: 'integer', description: 'Instead of If-Match.' }
    const schema = { type: 'object', properties: { reason, version }, additionalProperties: false }
    return {
      description:
        'Keeps the decision of whoever asks. The state changes with the last decision that is needed; until then `approvals` says what is missing.',
      requestBody: { required: false, content: { 'application/json': { schema } } },
    }
  }
  const asked = askedBy(app, entity.key, step, null)
  if (asked.length === 0) return {}
  const keys = asked.map(({ field }) => field)
  const required = asked.filter(one => one.required).map(({ field }) => field)
  const version = { version: { type: 'integer', description: 'Instead of If-Match.' } }
  const schema = objectOf(app, entity, keys, version, required)
  return { requestBody: { required: required.length > 0, content: { 'application/json': { schema } } } }
}

function listParameters({ exchange, allow }: Describing, entity: Entity): readonly Json[] {
  const { app } = exchange.site
  const visible = visibleFields(app, allow, entity.key)
  const query = (name: string, schema: Json, description?: string): Json => ({
    name,
    in: 'query',
    schema,
    ...(description === undefined ? {} : { description }),
  })
  const fields = filterableFields(entity, app)
  const filters = visible.flatMap(key => {
    const field = fields.get(key)
    if (field === undefined) return []
    const written = field.kind.filters.filter(comparison => comparison !== 'any of')
    return [...new Set(written.map(comparison => filterName(key, comparison, field)))].map(name =>
      query(name, { type: 'string' }),
    )
  })
  return [
    query('q', { type: 'string' }, 'Words to look for.'),
    query('sort', { type: 'string' }, 'Field keys, separated by commas; with - before one: last first.'),
    query('limit', { type: 'integer', minimum: 1, maximum: apiRows, default: pageRows }),
    query('count', { type: 'string', enum: ['yes'] }),
    query('after', { type: 'string' }),
    query('before', { type: 'string' }),
    ...filters,
  ]
}

/** The record as it is read, and as it is written by those who may. */
function schemasOf({ exchange, allow }: Describing, entity: Entity): Json {
  const { app } = exchange.site
  const name = schemaName(entity.name)
  const visible = visibleFields(app, allow, entity.key)
  const lists = visibleLists(app, allow, entity.key)
  const readLists = lists.map(({ field, entity: child }) => {
    const fields = visibleFields(app, allow, child)
    const items = objectOf(app, app.entities.get(child)!, fields, { id: idSchema }, ['id'])
    return [field, { type: 'array', items }] as const
  })
  const workflow = app.workflows.get(entity.key)
  const built = {
    id: idSchema,
    version: { type: 'integer' },
    ...(workflow === undefined
      ? {}
      : {
          state: { type: 'string', enum: workflow.states.map(state => state.name) },
          steps: { type: 'array', items: { type: 'string' }, description: 'Steps that can be taken now.' },
          ...(workflow.approvals.length > 0 ? { approvals: approvalsSchema } : {}),
        }),
  }
  const read = objectOf(app, entity, visible, { ...built, ...Object.fromEntries(readLists) }, ['id', 'version'])
  const write = (verb: 'create' | 'change') => {
    const settable = entity.fields.filter(
      field =>
        notSettable(field, verb, exchange.request.actor) === null &&
        allow.sets(entity.key, field.key, verb, 't') !== false,
    )
    const rows = lists.filter(({ field }) => settable.some(({ key }) => key === field))
    const writeLists = rows.map(({ field, entity: child }) => {
      const of = app.entities.get(child)!
      const keys = of.fields
        .filter(one => notSettable(one, 'create', exchange.request.actor) === null)
        .map(({ key }) => key)
      return [field, { type: 'array', items: objectOf(app, of, keys, { id: idSchema }, []) }] as const
    })
    const required = verb === 'create' ? settable.filter(isNeeded).map(({ key }) => key) : []
    const version = verb === 'change' ? { version: { type: 'integer', description: 'Instead of If-Match.' } } : {}
    return objectOf(
      app,
      entity,
      settable.map(({ key }) => key),
      { ...version, ...Object.fromEntries(writeLists) },
      required,
    )
  }
  return {
    [name]: read,
    ...(allow.rows(entity.key, 'create', 't') === false ? {} : { [`${name}Create`]: write('create') }),
    ...(allow.rows(entity.key, 'change', 't') === false ? {} : { [`${name}Change`]: write('change') }),
  }
}

const isNeeded = ({ required, default: preset, type }: Field): boolean =>
  required !== null && required.when === null && preset === null && type.kind !== 'list'

const idSchema: Json = { type: 'string', format: 'uuid' }

function objectOf(
  app: Exchange['site']['app'],
  entity: Entity,
  keys: readonly string[],
  more: Json,
  required: readonly string[],
): Json {
  const properties = keys.flatMap(key => {
    const field = entity.fields.find(candidate => candidate.key === key)
    if (field === undefined || (field.type.kind === 'list' && !fieldKind(field.kind).links)) return []
    return [[key, fieldSchema(app, field)] as const]
  })
  return {
    type: 'object',
    properties: { ...Object.fromEntries(properties), ...more },
    ...(required.length === 0 ? {} : { required }),
  }
}

/** The kind's own schema; empty is null, wherever a field may be empty. */
function fieldSchema(app: Exchange['site']['app'], field: Field): Json {
  const own = fieldKind(field.kind).schema(field.parameters)
  const target = field.type.kind === 'reference' ? app.entities.get(field.type.entity)?.name : undefined
  const meaning = [field.meaning?.text, target === undefined ? undefined : `The id of a ${target}.`]
    .filter(Boolean)
    .join(' ')
  const described = meaning === '' ? own : { ...own, description: meaning }
  if (!field.optional) return described
  const {
    type,
    enum: options,
    ...rest
  } = described as Json & { readonly type?: unknown; readonly enum?: readonly unknown[] }
  return {
    ...rest,
    ...(typeof type === 'string' ? { type: [type, 'null'] } : type === undefined ? {} : { type }),
    ...(options === undefined ? {} : { enum: [...options, null] }),
  }
}

const problemAnswer: Json = { $ref: '#/components/responses/Problem' }

function answers(description: string, schema: Json, rest: Json = {}): Json {
  return { '200': { description, content: { 'application/json': { schema } }, ...rest }, default: problemAnswer }
}

/** RFC 9457, with a JSON pointer for each value that is meant. */
const problemSchema: Json = {
  type: 'object',
  required: ['type', 'title', 'status'],
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string' },
    emergency: {
      type: 'string',
      format: 'uri-reference',
      description: 'Where it can be opened in an emergency, with a reason.',
    },
    request: { type: 'string', description: 'Finds the log entry.' },
    confirm: {
      type: 'array',
      items: { type: 'string' },
      description: 'Only warnings are in the way: sent again with these codes in `Confirm-Warnings`, it happens.',
    },
    line: { type: 'string', description: 'Only while developing: the line of the document that decides.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['code', 'detail'],
        properties: {
          code: { type: 'string' },
          detail: { type: 'string' },
          whatToDo: { type: 'string' },
          pointer: { type: 'string' },
          warning: { type: 'boolean', description: 'It may be confirmed.' },
          line: { type: 'string' },
        },
      },
    },
  },
}

const approvalsSchema: Json = {
  type: 'array',
  description: 'What the record waits for: the approvals that apply to it in its state.',
  items: {
    type: 'object',
    properties: {
      approval: { type: 'string' },
      name: { type: 'string' },
      step: { type: 'string' },
      needs: { description: 'A number, `all`, or null where the document leaves it open.' },
      missing: { type: ['integer', 'null'], description: 'How many more; null: nobody can tell.' },
      decisions: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            by: { type: 'string' },
            for: { type: ['string', 'null'], description: 'Whom they decided for.' },
            at: { type: 'string', format: 'date-time' },
            reason: { type: ['string', 'null'] },
          },
        },
      },
      waiting: {
        type: 'array',
        items: { type: 'string' },
        description: 'People named by fields who have not decided.',
      },
    },
  },
}
