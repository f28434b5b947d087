/** OpenAPI 3.1 of the application, as far as the asking person may use it: made from the same model that the API obeys. */

import type { Entity } from '../../headings/3-entities/model.ts'
import { engineValue } from '../../headings/9-limits/engine.ts'
import type { Comparison } from '../../kinds/fields/field-kind.ts'
import {
  archivedName,
  askableFields,
  askedByPrograms,
  filterName,
  onlyArchived,
  relatedFields,
  rowLists,
} from '../../kinds/screens/query.ts'
import { policyFor } from '../../run/access/policy.ts'
import { opensIn } from '../../run/access/read-log.ts'
import { maximumWords } from '../../run/read/filter.ts'
import { visibleFields, visibleLists, visibleMoments } from '../../run/read/select.ts'
import { apiRows } from '../bounds.ts'
import type { RequestContext } from '../request-context.ts'
import { hasAnything } from '../seen.ts'
import { commentsName, hasComments } from './comments.ts'
import type { Json } from './json.ts'
import {
  answers,
  type Describing,
  littleAnswer,
  parameter,
  problemAnswer,
  reference,
  schemaName,
  warnedBy,
} from './openapi/parts.ts'
import {
  commentFilePath,
  commentPath,
  commentUndoPath,
  emergencyPath,
  fileFields,
  filePaths,
  oneCommentPath,
  placePath,
  receivePaths,
  sendingPath,
  sharePaths,
  stepPaths,
} from './openapi/paths.ts'
import { problemSchema, schemasOf } from './openapi/schemas.ts'
import { hasPlaces, placeName } from './places.ts'
import { restoreName } from './records.ts'
import { hasShares } from './shares.ts'

export function openapi(context: RequestContext): Json {
  const { site, request, web } = context
  const policy = policyFor(site.app, request.actor)
  const describing = { context, policy }
  const entities = [...site.app.entities.values()].filter(
    ({ key, partOf }) => partOf === null && hasAnything(context, key),
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
      ...(entities.some(entity => takesFiles(describing, entity)) ? { '/api/v1/-/files': sendingPath } : {}),
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
          description:
            'The entity tag that was read: if what is stored in the record has changed by now, nothing happens (412).',
          schema: { type: 'string' },
        },
        idempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            'A repeat with the same key and content within 48 hours happens once, and gets the first answer.',
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

/** In fields of its records, or in what is said about them. */
const takesFiles = (describing: Describing, entity: Entity): boolean =>
  fileFields(describing, entity).length > 0 ||
  (describing.policy.rows(entity.key, 'see', 't') !== false &&
    hasComments(describing.context.site.app, describing.context.request.actor, entity))

function pathsOf({ context, policy }: Describing, entity: Entity): Json {
  const { key, name } = entity
  const archives = entity.archives !== null
  const schema = schemaName(name)
  const sees = policy.rows(key, 'see', 't') !== false
  const record = answers(`The ${name}.`, reference(schema), { headers: { ETag: { schema: { type: 'string' } } } })
  const body = (which: string) => ({ required: true, content: { 'application/json': { schema: reference(which) } } })
  const operation = (verb: string, summary: string, rest: Json): Json => ({
    operationId: `${verb}${schema}`,
    summary,
    tags: [name],
    ...rest,
  })
  const collection: Record<string, Json> = {}
  const warned = warnedBy(context.site.app, key)
  if (sees)
    collection.get = operation('list', `List ${name} records`, {
      ...furtherFilters({ context, policy }, entity),
      parameters: listParameters({ context, policy }, entity),
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
  if (policy.rows(key, 'create', 't') !== false)
    collection.post = operation('create', `Create a ${name}`, {
      parameters: [parameter('idempotencyKey'), parameter('prefer'), ...warned],
      requestBody: body(`${schema}Create`),
      responses: { ...record, '201': { ...(record['200'] as Json), description: `The new ${name}.` } },
    })
  const one: Record<string, unknown> = { parameters: [parameter('id')] }
  if (sees || opensIn(context.site.app, context.request.actor, key))
    one.get = operation('get', `Get a ${name}`, { parameters: [withNames], responses: record })
  if (policy.rows(key, 'change', 't') !== false)
    one.patch = operation('change', `Change a ${name}`, {
      parameters: [parameter('ifMatch'), parameter('idempotencyKey'), parameter('prefer'), ...warned],
      requestBody: body(`${schema}Change`),
      responses: { ...record, '204': littleAnswer },
    })
  if (policy.rows(key, 'delete', 't') !== false)
    one.delete = operation('delete', `${archives ? 'Archive' : 'Delete'} a ${name}`, {
      parameters: [parameter('ifMatch'), parameter('idempotencyKey'), ...warned],
      responses: { '204': { description: archives ? 'It is archived.' : 'It is gone.' }, default: problemAnswer },
    })
  const isMoved = hasPlaces(context.site.app, entity) && policy.rows(key, 'change', 't') !== false
  const isRestored = archives && policy.rows(key, 'restore', 't') !== false
  return {
    ...(Object.keys(collection).length === 0 ? {} : { [`/api/v1/${key}`]: collection }),
    ...(Object.keys(one).length === 1 ? {} : { [`/api/v1/${key}/{id}`]: one }),
    ...(sees && hasComments(context.site.app, context.request.actor, entity)
      ? {
          [`/api/v1/${key}/{id}/${commentsName}`]: commentPath(name, operation),
          [`/api/v1/${key}/{id}/${commentsName}/{comment}`]: oneCommentPath(name, operation),
          [`/api/v1/${key}/{id}/${commentsName}/{comment}/undo`]: commentUndoPath(name, operation),
          [`/api/v1/${key}/{id}/${commentsName}/{comment}/files/{place}`]: commentFilePath(name, operation),
        }
      : {}),
    ...(sees && hasShares(context.site.app, entity) ? sharePaths(context.site.app, entity, operation) : {}),
    ...(isMoved ? { [`/api/v1/${key}/{id}/${placeName}`]: placePath(name, operation) } : {}),
    ...(isRestored
      ? {
          [`/api/v1/${key}/{id}/${restoreName}`]: {
            parameters: [parameter('id')],
            post: operation('restore', `Restore an archived ${name}`, {
              parameters: [parameter('ifMatch'), parameter('idempotencyKey'), parameter('prefer'), ...warned],
              responses: { ...record, '204': littleAnswer },
            }),
          },
        }
      : {}),
    ...emergencyPath(context, entity),
    ...merged(stepPaths({ context, policy }, entity, record), filePaths({ context, policy }, entity)),
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

const withNames: Json = {
  name: 'with',
  in: 'query',
  schema: { type: 'string', enum: ['names'] },
  description: '`names`: with `_names`, what the records are called that fields name, by the keys of these fields.',
}

const means: Readonly<Record<Comparison, string>> = {
  is: 'exactly this; several times: one of them, where the type has a closed list or names',
  'is not': 'not this',
  contains: 'with this in it, whatever its capitals',
  'starts with': 'begins with this',
  before: 'earlier than this',
  after: 'later than this',
  'at least': 'this or more',
  'at most': 'this or less',
  'any of': 'one of these',
  within: 'in days that move with the calendar, as today, this-week',
  'is empty': 'yes: without a value; no: with one',
}

/** Filters that are not listed one by one: of what a record names, and of its rows. */
function furtherFilters({ context, policy }: Describing, entity: Entity): Json {
  const { app } = context.site
  const fields = askableFields(entity, app)
  const via = visibleFields(app, policy, entity.key).filter(key => {
    const field = fields.get(key)
    return field !== undefined && relatedFields(field, app).size > 0
  })
  const rows = visibleLists(app, policy, entity.key).flatMap(({ field }) =>
    rowLists(entity, app).has(field) ? [field] : [],
  )
  const paths = [...via, ...rows]
  if (paths.length === 0) return {}
  return {
    description: `Also filtered, by the same words, by the fields of what ${paths.map(path => `\`${path}\``).join(', ')} lead${paths.length === 1 ? 's' : ''} to: \`${paths[0]}.FIELD\`, \`${paths[0]}.FIELD.contains\`.`,
  }
}

function listParameters({ context, policy }: Describing, entity: Entity): readonly Json[] {
  const { app } = context.site
  const visible = [...visibleFields(app, policy, entity.key), ...visibleMoments(policy, entity.key)]
  const query = (name: string, schema: Json, description?: string): Json => ({
    name,
    in: 'query',
    schema,
    ...(description === undefined ? {} : { description }),
  })
  const fields = askableFields(entity, app)
  const usualRows = engineValue(context.request.limits, 'page_size')
  const order = entity.order.filter(({ field }) => visible.includes(field))
  const usual = order.map(({ field, descending }) => `${descending ? '-' : ''}${field}`).join() || 'newest first'
  const filters = visible.flatMap(key => {
    const field = fields.get(key)
    if (field === undefined) return []
    const [plain, ...others] = askedByPrograms(field).filter(comparison => comparison !== 'any of')
    return plain === undefined
      ? []
      : [plain, ...others].map(comparison =>
          query(
            filterName(key, comparison, field, plain),
            { type: 'string' },
            `${field.kind.name}: ${means[comparison]}`,
          ),
        )
  })
  return [
    query('q', { type: 'string' }, `Words to look for, ${maximumWords} at most.`),
    query(
      'sort',
      { type: 'string' },
      `Field keys, separated by commas; with - before one: last first. What has no value comes last either way. Absent: ${usual}.`,
    ),
    query('limit', { type: 'integer', minimum: 1, maximum: apiRows, default: usualRows }),
    query('count', { type: 'string', enum: ['yes'] }),
    withNames,
    query('after', { type: 'string' }),
    query('before', { type: 'string' }),
    ...(entity.archives === null || policy.rows(entity.key, 'restore', 't') === false
      ? []
      : [
          query(
            archivedName,
            { type: 'string', enum: [onlyArchived] },
            'What is archived, in place of everything else.',
          ),
        ]),
    ...filters,
  ]
}
