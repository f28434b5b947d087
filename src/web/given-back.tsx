/** What somebody sent and could not be dealt with: it goes back to them, as a form that sends the same once more. */
import type { Field as FieldModel } from '../headings/3-entities/model.ts'
import type { App } from '../headings/app.ts'
import { said } from '../headings/said.ts'
import { isSealed } from '../run/names.ts'
import { HiddenInputs, Submit } from '../ui/buttons.tsx'
import { TextControl } from '../ui/controls.tsx'
import { Field } from '../ui/form.tsx'
import { DescriptionList } from '../ui/record.tsx'
import { say } from './sentences.ts'
import type { Site } from './site.ts'

export interface Sent {
  readonly form: URLSearchParams
  /** Names of the controls whose files were not kept. */
  readonly lost: readonly string[]
}

/** A failure while somebody waits for the answer to a form. */
export class Unfinished extends Error {
  readonly sent: Sent

  constructor(sent: Sent, cause: unknown) {
    super('What was sent was not dealt with.', { cause })
    this.name = 'Unfinished'
    this.sent = sent
  }
}

/** `lines.2.code`: of that the last part. */
const ownName = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

/** What is hashed where it is stored is typed again: it is kept as a text nowhere. */
export const isSecret = (app: App, name: string): boolean =>
  [...app.entities.keys()].some(entity => isSealed(app, entity, ownName(name)))

/** Of the application's own pages. */
const passwordNames: readonly string[] = ['password', 'current']

export interface GivenBackProps {
  readonly site: Site
  /** Path and query that it was sent to. */
  readonly action: string
  readonly sent: Sent
}

/** All that was typed: to be read, and to be sent again as it was. Passwords and files that were not kept are asked for anew. */
export function GivenBack({ site, action, sent: { form, lost } }: GivenBackProps) {
  const pairs = [...form]
  const isOurs = action.startsWith('/-/')
  const isHidden = (name: string) => (isOurs ? passwordNames.includes(name) : isSecret(site.app, name))
  const secrets = pairs.flatMap(([name]) => (isHidden(name) ? name : []))
  const label = (name: string) => labelOf(site, action, name)
  return (
    <form
      method="post"
      action={action}
      className="stack"
      data-guard="unsaved"
      encType={lost.length > 0 ? 'multipart/form-data' : undefined}
    >
      <p>{say(site, lost.length > 0 ? 'givenBackWithoutFiles' : 'givenBack')}</p>
      <HiddenInputs inputs={pairs.filter(([name]) => !isHidden(name)).map(([name, value]) => ({ name, value }))} />
      <DescriptionList facts={isOurs ? [] : readable(site, action, pairs, secrets)} />
      {secrets.map(name => (
        <Field key={name} id={name} label={label(name)}>
          {aid => <TextControl aid={aid} name={name} type="password" value="" required />}
        </Field>
      ))}
      {lost.map(name => (
        <Field key={name} id={name} label={label(name)} optional>
          {aid => <input {...aid} className="in" type="file" name={name} />}
        </Field>
      ))}
      <div className="acts">
        <Submit tone="primary">{site.reader.words('tryAgain')}</Submit>
      </div>
    </form>
  )
}

/** What people wrote themselves; what they chose stands in the form by names that are not for reading. */
function readable(
  site: Site,
  action: string,
  pairs: readonly (readonly [string, string])[],
  secrets: readonly string[],
) {
  const facts = new Map<string, string>()
  for (const [name, value] of pairs) {
    const field = secrets.includes(name) ? undefined : fieldOf(site, action, name)
    if (field === undefined || value === '' || !written.has(field.type.kind)) continue
    const row = /\.(\d+)\./.exec(name)?.[1]
    facts.set(row === undefined ? field.label : `${field.label} (${Number(row) + 1})`, value)
  }
  return [...facts].map(([label, value]) => ({ label, value, long: value.length > 60 }))
}

const written: ReadonlySet<string> = new Set([
  'text',
  'integer',
  'decimal',
  'money',
  'date',
  'moment',
  'time',
  'duration',
])

function labelOf(site: Site, action: string, name: string): string {
  if (name === 'current') return say(site, 'currentPassword')
  return (
    fieldOf(site, action, name)?.label ?? (name === 'file' ? say(site, 'importFile') : site.reader.words('password'))
  )
}

/** The field that a control of the form at this address is for. */
function fieldOf({ app, routes }: Site, action: string, name: string): FieldModel | undefined {
  const match = routes.match(action.split('?')[0]!)
  const key = match?.kind === 'screen' ? said(match.screen.shows)?.entity : match?.place.entity.key
  const [first = '', , inner] = name.split('.')
  const field = app.entities.get(key ?? '')?.fields.find(one => one.key === first)
  if (inner === undefined || field?.type.kind !== 'list') return field
  return app.entities.get(field.type.entity)?.fields.find(one => one.key === inner)
}
