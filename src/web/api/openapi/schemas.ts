/** Records as they are read and written, and what a refusal looks like. */
import type { Entity, Field } from '../../../headings/3-entities/model.ts'
import { fieldKind } from '../../../kinds/fields/index.ts'
import { notSettable } from '../../../run/access/settable.ts'
import { isLinks, typeOf } from '../../../run/names.ts'
import { visibleFields, visibleLists, visibleMoments } from '../../../run/read/select.ts'
import type { RequestContext } from '../../request-context.ts'
import type { Json } from '../json.ts'
import { type Describing, idSchema, ownSchema, schemaName } from './parts.ts'

const unseenSchema: Json = {
  type: 'array',
  description:
    'Fields that name a record which you may not see. A field of one record is not there, and stays as it is unless something is sent for it; of several, those that you may see are there, and the others stay whatever is sent.',
}

/** The record as it is read, and as it is written by those who may. */
export function schemasOf({ context, policy }: Describing, entity: Entity): Json {
  const { app } = context.site
  const name = schemaName(entity.name)
  const visible = visibleFields(app, policy, entity.key)
  const unseenOf = (of: string): Json => {
    const closing = visibleFields(app, policy, of).filter(key => {
      const type = typeOf(app, of, key)
      const isNaming = type?.kind === 'reference' || (type?.kind === 'list' && isLinks(app, of, key))
      return isNaming && policy.names(type.entity, 't') !== true
    })
    return closing.length === 0 ? {} : { unseen: { ...unseenSchema, items: { enum: closing } } }
  }
  const readLists = (of: string): Json =>
    Object.fromEntries(
      visibleLists(app, policy, of).map(({ field, entity: child }) => {
        const more = { id: idSchema, ...unseenOf(child), ...readLists(child) }
        const items = objectOf(app, app.entities.get(child)!, visibleFields(app, policy, child), more, ['id'])
        return [field, { type: 'array', items }]
      }),
    )
  const writeLists = (of: string, isOpen: (field: Field) => boolean): Json =>
    Object.fromEntries(
      visibleLists(app, policy, of).flatMap(({ field, entity: child }) => {
        if (!app.entities.get(of)!.fields.some(one => one.key === field && isOpen(one))) return []
        const rows = app.entities.get(child)!
        const isFree = (one: Field) => notSettable(one, 'create', context.request.actor) === null
        const keys = rows.fields.filter(isFree).map(({ key }) => key)
        const items = objectOf(app, rows, keys, { id: idSchema, ...writeLists(child, isFree) }, [])
        return [[field, { type: 'array', items }] as const]
      }),
    )
  const workflow = app.workflows.get(entity.key)
  const built = {
    id: idSchema,
    version: { type: 'integer' },
    _names: { type: 'object', additionalProperties: { type: 'string' }, description: 'With `with=names`.' },
    ...unseenOf(entity.key),
    ...Object.fromEntries(
      visibleMoments(policy, entity.key).map(key => [key, { type: 'string', format: 'date-time' }]),
    ),
    ...(entity.archives === null
      ? {}
      : {
          archived_at: {
            type: ['string', 'null'],
            format: 'date-time',
            description: 'Since when it is archived; null: it is not.',
          },
        }),
    ...(workflow === undefined
      ? {}
      : {
          state: { type: 'string', enum: workflow.states.map(state => state.name) },
          steps: { type: 'array', items: { type: 'string' }, description: 'Steps that can be taken now.' },
          ...(workflow.approvals.length > 0 ? { approvals: approvalsSchema } : {}),
        }),
  }
  const read = objectOf(app, entity, visible, { ...built, ...readLists(entity.key) }, ['id', 'version'])
  const write = (verb: 'create' | 'change') => {
    const settable = entity.fields.filter(
      field =>
        notSettable(field, verb, context.request.actor) === null &&
        policy.sets(entity.key, field.key, verb, 't') !== false,
    )
    const required = verb === 'create' ? settable.filter(isNeeded).map(({ key }) => key) : []
    const own = verb === 'change' ? ownSchema : {}
    return objectOf(
      app,
      entity,
      settable.map(({ key }) => key),
      { ...own, ...writeLists(entity.key, field => settable.includes(field)) },
      required,
    )
  }
  return {
    [name]: read,
    ...(policy.rows(entity.key, 'create', 't') === false ? {} : { [`${name}Create`]: write('create') }),
    ...(policy.rows(entity.key, 'change', 't') === false ? {} : { [`${name}Change`]: write('change') }),
  }
}

const isNeeded = ({ required, default: preset, type }: Field): boolean =>
  required !== null && required.when === null && preset === null && type.kind !== 'list'

export function objectOf(
  app: RequestContext['site']['app'],
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
function fieldSchema(app: RequestContext['site']['app'], field: Field): Json {
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
    anyOf,
    ...rest
  } = described as Json & {
    readonly type?: unknown
    readonly enum?: readonly unknown[]
    readonly anyOf?: readonly Json[]
  }
  return {
    ...rest,
    ...(anyOf === undefined ? {} : { anyOf: [...anyOf, { type: 'null' }] }),
    ...(typeof type === 'string' ? { type: [type, 'null'] } : type === undefined ? {} : { type }),
    ...(options === undefined ? {} : { enum: [...options, null] }),
  }
}

/** RFC 9457, with a JSON pointer for each value that is meant. */
export const problemSchema: Json = {
  type: 'object',
  required: ['type', 'title', 'status'],
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    whatToDo: { type: 'string' },
    code: { type: 'string' },
    emergency: {
      type: 'string',
      format: 'uri-reference',
      description: 'Where it can be opened in an emergency, with a reason.',
    },
    request: { type: 'string', description: 'Finds the log entry.' },
    trace: { type: 'string', description: 'The trace id of the `traceparent` that the request came with.' },
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
          place: {
            type: 'string',
            description: 'The row that is meant, by the names on the way to it: `Parts › Cleaning › Tasks › Mop`.',
          },
          warning: { type: 'boolean', description: 'It may be confirmed.' },
          of: {
            type: 'object',
            description:
              'Refused by what follows from the request, of this record; `id` is null for one that would be new.',
            properties: {
              entity: { type: 'string' },
              id: { type: ['string', 'null'], format: 'uuid' },
              title: {
                type: 'string',
                description: 'What names it, where it is another record than the one that was written.',
              },
            },
          },
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
      needs: {
        description: 'A number, `all`, `majority`, a share (`60%`), or null where the document leaves it open.',
      },
      missing: { type: ['integer', 'null'], description: 'How many more; null: nobody can tell.' },
      due: { type: 'boolean', description: 'People are asked for it by now; false: what comes before it is missing.' },
      decisions: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            by: { type: ['string', 'null'], description: 'Null: not told here.' },
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
