/** What somebody sent and could not be dealt with: it goes back to them, as a form that sends the same once more. */
import type { Field } from '../headings/3-entities/model.ts'
import type { App } from '../headings/app.ts'
import { specified } from '../headings/specified.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { isSealed } from '../run/names.ts'
import { HiddenInputs, Submit } from '../ui/buttons.tsx'
import { TextControl } from '../ui/controls.tsx'
import { Field as FormField } from '../ui/form.tsx'
import { DescriptionList } from '../ui/record.tsx'
import { textOf } from './screens/values.ts'
import { say } from './sentences.ts'
import { type FieldInfo, fieldInfo, type Site } from './site.ts'

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
        <FormField key={name} id={name} label={label(name)}>
          {aid => <TextControl aid={aid} name={name} type="password" value="" required />}
        </FormField>
      ))}
      {lost.map(name => (
        <FormField key={name} id={name} label={label(name)} optional>
          {aid => <input {...aid} className="in" type="file" name={name} />}
        </FormField>
      ))}
      <div className="acts">
        <Submit tone="primary">{site.reader.words('tryAgain')}</Submit>
      </div>
    </form>
  )
}

/** What was typed into a form that has nothing to be sent to any more: to be copied from here. Null: nothing that can be read. */
export function TypedInVain({ site, action, form }: Pick<GivenBackProps, 'site' | 'action'> & Pick<Sent, 'form'>) {
  const pairs = [...form]
  const secrets = pairs.flatMap(([name]) => (isSecret(site.app, name) ? name : []))
  const facts = action.startsWith('/-/') ? [] : readable(site, action, pairs, secrets)
  if (facts.length === 0) return null
  return (
    <div className="sheet">
      <div className="body stack">
        <p>{say(site, 'typedInVain')}</p>
        <DescriptionList facts={facts} />
      </div>
    </div>
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
    const asked = secrets.includes(name) ? null : askedBy(site, action, name)
    if (asked === null || value === '' || !written.has(asked.field.type.kind)) continue
    const row = /\.(\d+)\./.exec(name)?.[1]
    const { label } = asked.info
    facts.set(row === undefined ? label : `${label} (${Number(row) + 1})`, shownText(site, asked, value))
  }
  return [...facts].map(([label, value]) => ({ label, value, long: value.length > 60 }))
}

/** As it is read elsewhere, if it can be read at all: controls write days and moments in a way of their own. */
function shownText(site: Site, { entity, info, field }: Asked, text: string): string {
  const { locale, format } = site.reader
  const parsed = fieldKind(field.kind).parse(text, field.parameters, locale, format.zone)
  return 'value' in parsed ? textOf(site, entity, info, parsed.value) : text
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
    askedBy(site, action, name)?.info.label ??
    (name === 'file' ? say(site, 'importFile') : site.reader.words('password'))
  )
}

interface Asked {
  readonly entity: string
  readonly info: FieldInfo
  readonly field: Field
}

/** What a control of the form at this address asks for; null: no field. */
function askedBy({ app, routes }: Site, action: string, name: string): Asked | null {
  const match = routes.match(action.split('?')[0]!)
  const key = match?.kind === 'screen' ? specified(match.screen.shows)?.entity : match?.place.entity.key
  const of = (entity: string, [field = '', , ...inner]: readonly string[]): Asked | null => {
    const info = fieldInfo(app, entity, field)
    if (info?.field == null) return null
    const { type } = info.field
    return inner.length === 0 || type.kind !== 'list' ? { entity, info, field: info.field } : of(type.entity, inner)
  }
  return of(key ?? '', name.split('.'))
}
