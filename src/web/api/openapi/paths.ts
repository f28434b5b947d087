/** Addresses beside the records themselves: steps, files, comments, emergencies, messages of others. */
import type { Entity, Field } from '../../../headings/3-entities/model.ts'
import { shareRoles } from '../../../headings/6-permissions/shares.ts'
import type { App } from '../../../headings/app.ts'
import { isUnspecified } from '../../../headings/specified.ts'
import { fieldKind } from '../../../kinds/fields/index.ts'
import { opensIn } from '../../../run/access/read-log.ts'
import { approvalsOf } from '../../../run/approvals/approvals.ts'
import { reasonLimit } from '../../../run/approvals/decide.ts'
import { longestComment } from '../../../run/people/commenting.ts'
import { visibleFields } from '../../../run/read/select.ts'
import type { RequestContext } from '../../request-context.ts'
import { askedBy } from '../../site.ts'
import { emergencyAddress } from '../emergency.ts'
import type { Json } from '../json.ts'
import { sharesName } from '../shares.ts'
import {
  answers,
  type Describing,
  idSchema,
  littleAnswer,
  ownSchema,
  parameter,
  problemAnswer,
  schemaName,
  warnedBy,
} from './parts.ts'
import { objectOf } from './schemas.ts'

/** Messages of others, for whoever sees what they are about. They are let in by a key of their own, not by a session. */
export function receivePaths({ context, policy }: Describing, entities: readonly Entity[]): Json {
  const { app } = context.site
  return Object.fromEntries(
    [...app.receives.values()].flatMap((receive): [string, Json][] => {
      const entity = entities.find(({ key }) => key === receive.entity)
      const { proof } = receive
      if (proof === null || entity === undefined || policy.rows(entity.key, 'see', 't') === false) return []
      const visible = visibleFields(app, policy, entity.key)
      const takes = receive.takes.filter(({ field }) => visible.includes(field))
      const keys = takes.map(({ field }) => field)
      const shown = objectOf(app, entity, keys, {}, []).properties as Readonly<Record<string, Json>>
      const properties = Object.fromEntries(takes.map(({ name, field }) => [name, shown[field] ?? {}]))
      const once = receive.once === null ? {} : { [receive.once]: { type: ['string', 'number'] } }
      const one = { type: 'object', properties: { ...properties, ...once } }
      const operation = {
        operationId: `receive_${receive.key}`,
        summary: `Receive ${receive.key}`,
        tags: [entity.name],
        security: [{ [proof.kind === 'key' ? 'senderKey' : 'senderSignature']: [] }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { oneOf: [one, { type: 'array', minItems: 1, items: one }] } } },
        },
        responses: answers('Taken.', {
          oneOf: [
            {
              type: 'object',
              required: ['id', 'version'],
              properties: { id: idSchema, version: { type: 'integer' } },
            },
            {
              type: 'object',
              required: ['messages'],
              properties: { messages: { type: 'array', items: { type: 'object' } } },
            },
          ],
        }),
      }
      return [[`/api/v1/-/${receive.key}`, { post: operation }]]
    }),
  )
}

const fileContent = { '*/*': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } }

export const fileFields = ({ context, policy }: Describing, { key, fields }: Entity): readonly Field[] => {
  const visible = new Set(visibleFields(context.site.app, policy, key))
  return fields.filter(field => field.type.kind === 'file' && visible.has(field.key))
}

export function filePaths(describing: Describing, entity: Entity): Json {
  const { key, name } = entity
  if (describing.policy.rows(key, 'see', 't') === false) return {}
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
            '200': {
              description: 'The file.',
              headers: { ETag: { schema: { type: 'string' } } },
              content: fileContent,
            },
            default: problemAnswer,
          },
        },
      },
    ]),
  )
}

export const sendingPath: Json = {
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
export function emergencyPath(context: RequestContext, { key, name }: Entity): Json {
  if (!opensIn(context.site.app, context.request.actor, key)) return {}
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

const commentBody = (more: Json = {}) => ({
  required: true,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['text'],
        properties: { text: { type: 'string', maxLength: longestComment }, ...more },
      },
    },
  },
})

const replyTo = {
  type: ['string', 'null'],
  format: 'uuid',
  description: 'The comment that begins its thread. Null: it begins one.',
}

const commentId = { name: 'comment', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }
const idOf = { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } }

/** One comment, for whoever wrote it: changed, or taken back. */
export function oneCommentPath(name: string, operation: (verb: string, summary: string, rest: Json) => Json): Json {
  const parameters = [parameter('idempotencyKey')]
  return {
    parameters: [parameter('id'), commentId],
    patch: operation('changeCommentOn', `Change one’s own comment on a ${name}`, {
      parameters,
      requestBody: commentBody(),
      responses: answers('It is changed.', idOf),
    }),
    delete: operation('takeBackCommentOn', `Take one’s own comment on a ${name} back`, {
      parameters,
      responses: { '204': { description: 'It is taken back.' }, default: problemAnswer },
    }),
  }
}

/** Undoing what was done with it last. */
export const commentUndoPath = (
  name: string,
  operation: (verb: string, summary: string, rest: Json) => Json,
): Json => ({
  parameters: [parameter('id'), commentId],
  post: operation(
    'undoCommentOn',
    `Bring back what one’s own comment on a ${name} said before it was changed or taken back`,
    {
      parameters: [parameter('idempotencyKey')],
      responses: answers('It says that again.', idOf),
    },
  ),
})

/** Another place in an order by hand. */
export function placePath(name: string, operation: (verb: string, summary: string, rest: Json) => Json): Json {
  const undo = {
    type: 'object',
    required: ['from', 'to'],
    properties: { from: { type: ['string', 'null'] }, to: { type: 'string' } },
    additionalProperties: false,
  }
  const one = (place: string, schema: Json): Json => ({
    type: 'object',
    required: [place],
    properties: { [place]: schema },
    additionalProperties: false,
  })
  const beside = { ...idSchema, type: ['string', 'null'], description: 'Null: it becomes the first one.' }
  const before = { ...undo, description: 'As an answer gave it: back to where it stood, unless it was moved again.' }
  const schema = { oneOf: [one('before', idSchema), one('after', beside), one('undo', before)] }
  return {
    parameters: [parameter('id')],
    post: operation('move', `Put a ${name} elsewhere in its order by hand`, {
      parameters: [parameter('idempotencyKey')],
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: answers('It stands there.', {
        ...idOf,
        properties: { ...idOf.properties, undo: { ...undo, description: 'Send it to take this back.' } },
      }),
    }),
  }
}

/** A file of a comment. */
export const commentFilePath = (
  name: string,
  operation: (verb: string, summary: string, rest: Json) => Json,
): Json => ({
  parameters: [
    parameter('id'),
    commentId,
    { name: 'place', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
  ],
  get: operation('getFileOfCommentOn', `Get a file of a comment on a ${name}`, {
    responses: {
      '200': { description: 'The file.', headers: { ETag: { schema: { type: 'string' } } }, content: fileContent },
      default: problemAnswer,
    },
  }),
})

/** With whom a record is shared. */
export function sharePaths(
  app: App,
  { key, name }: Entity,
  operation: (verb: string, summary: string, rest: Json) => Json,
): Json {
  const day = { type: ['string', 'null'], format: 'date', description: 'The last day; null: without an end.' }
  const role = { type: 'string', enum: shareRoles(app, key) }
  const properties = {
    role,
    with: { ...idSchema, description: 'A person, or a record that names several.' },
    until: day,
  }
  const share = {
    type: 'object',
    required: ['id', 'role', 'with', 'name', 'until'],
    properties: { id: idSchema, ...properties, name: { type: ['string', 'null'] } },
  }
  const made = { type: 'object', required: ['id'], properties: { id: idSchema } }
  const parameters = [parameter('idempotencyKey')]
  const one = { name: 'share', in: 'path', required: true, schema: idSchema }
  return {
    [`/api/v1/${key}/{id}/${sharesName}`]: {
      parameters: [parameter('id')],
      get: operation('listSharesOf', `List with whom a ${name} is shared, as far as you are told`, {
        responses: answers('The shares.', {
          type: 'object',
          required: ['data'],
          properties: { data: { type: 'array', items: share } },
        }),
      }),
      post: operation('share', `Share a ${name}, or give the share another end`, {
        parameters,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', required: ['role', 'with'], properties } } },
        },
        responses: {
          '201': { description: 'It is shared.', content: { 'application/json': { schema: made } } },
          default: problemAnswer,
        },
      }),
    },
    [`/api/v1/${key}/{id}/${sharesName}/{share}`]: {
      parameters: [parameter('id'), one],
      delete: operation('endShareOf', `End that a ${name} is shared`, {
        parameters,
        responses: { '204': { description: 'It is ended.' }, default: problemAnswer },
      }),
    },
  }
}

/** What people say about a record. */
export function commentPath(name: string, operation: (verb: string, summary: string, rest: Json) => Json): Json {
  const moment = { type: 'string', format: 'date-time' }
  const comment = {
    type: 'object',
    required: ['id', 'at', 'by', 'text', 'changed_at', 'reply_to', 'files'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      at: moment,
      by: { type: ['string', 'null'] },
      text: { type: ['string', 'null'], description: 'Null: it was taken back.' },
      changed_at: { ...moment, type: ['string', 'null'] },
      reply_to: replyTo,
      files: { type: 'array', items: fieldKind('file').schema({}) },
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
      requestBody: commentBody({
        reply_to: { ...replyTo, description: 'Any comment of the thread.' },
        files: { type: 'array', items: fieldKind('file').schema({}) },
      }),
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

export function stepPaths({ context, policy }: Describing, entity: Entity, record: Json): Json {
  const { key, name } = entity
  const { app } = context.site
  const warned = warnedBy(app, key)
  const steps = new Map(
    (context.site.app.workflows.get(key)?.transitions ?? [])
      .filter(transition => policy.offers(key, transition))
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

/** What the step asks for. */
function stepBody(app: RequestContext['site']['app'], entity: Entity, step: string): Json {
  if (approvalsOf(app, entity.key, step).length > 0) {
    const reason = { type: 'string', maxLength: reasonLimit, description: 'Why; kept with the decision.' }
    const schema = { type: 'object', properties: { reason, ...ownSchema }, additionalProperties: false }
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
  const schema = objectOf(app, entity, keys, ownSchema, required)
  return { requestBody: { required: required.length > 0, content: { 'application/json': { schema } } } }
}
