/** Headings 1, 3 and 5 as things that can be compared, and the list of all; the others are in files of their own. */
import type { Cell } from '../../document/source.ts'
import { labelOf } from '../../expression/names.ts'
import { unseenIn } from '../../headings/3-entities/frozen.ts'
import type { Entity, Field } from '../../headings/3-entities/model.ts'
import { titleFields } from '../../headings/3-entities/titles.ts'
import { weekdays } from '../../headings/9-limits/working-time.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified, type Specified, specified } from '../../headings/specified.ts'
import { sortWords } from '../../kinds/screens/member-types.ts'
import { saySignUp } from '../words.ts'
import { functions } from './code.ts'
import { type Renames, wordsOf } from './meaning.ts'
import { callsAndMails, errors, limits, workingTime } from './outward.ts'
import { aspects, list, type Part, rest } from './parts.ts'
import { screens } from './screens.ts'
import { type Aspect, changed, type Thing } from './thing.ts'
import { effects, sweeps, timers, workflowThings } from './workflows.ts'

/** `renames` make the things of an old document those of the new one. */
export function thingsOf(app: App, renames: Renames): readonly Thing[] {
  return [
    ...product(app, renames),
    ...screens(app, renames),
    ...[...app.entities.values()].flatMap(entity => entityThings(app, entity, renames)),
    ...[...app.workflows.values()].flatMap(workflow => workflowThings(app, workflow, renames)),
    ...effects(app, renames),
    ...timers(app, renames),
    ...sweeps(app, renames),
    ...rules(app, renames),
    ...callsAndMails(app, renames),
    ...errors(app, renames),
    ...limits(app, renames),
    ...workingTime(app, renames),
    ...functions(app, renames),
  ]
}

function product(app: App, renames: Renames): readonly Thing[] {
  const { name, title, product, documentFor } = app
  const { cell, serves, brand, timeZone, weekBegins, languages, signIn, signUp, translations } = product
  const texts = [...translations].flatMap(([tag, own]) => [...own].map(([text, { words }]) => [tag, text, words.text]))
  const parts: readonly Part[] = [
    { name: 'name', value: name, words: name, tell: (was, is) => `the application is called ${is} (was ${was})` },
    { name: 'serves', value: serves, tell: changed('it serves') },
    {
      name: 'colour',
      value: brand.colour?.colours.accent[0] ?? null,
      words: brand.colour?.cell.text ?? null,
      tell: changed('colour'),
    },
    { name: 'logo', value: brand.logo?.path ?? null, tell: changed('logo') },
    { name: 'theme', value: brand.theme?.path ?? null, tell: changed('theme') },
    { name: 'sign-in text', value: brand.signInText?.text ?? null, tell: changed('text at the sign-in') },
    { name: 'zone', value: timeZone.name, tell: changed('time zone') },
    { name: 'week', value: weekBegins.day, words: weekdays[weekBegins.day]!, tell: changed('first day of the week') },
    { name: 'default language', value: product.defaultLanguage.tag, tell: changed('default language') },
    { name: 'languages', value: languages.map(({ tag }) => tag), tell: changed('languages') },
    { name: 'translations', value: texts, tell: () => 'translations change' },
    { name: 'sign-in', value: signIn, tell: changed('sign-in') },
    { name: 'sign-up', value: saySignUp(app), words: saySignUp(app), tell: tellSignUp },
    {
      name: 'document for',
      value: documentFor.roles,
      words: documentFor.roles.join(', ') || 'nobody',
      tell: (was, is) => `the document is read in the application by ${is} (was ${was})`,
    },
    {
      name: 'assistants',
      value: app.assistants?.roles ?? null,
      words: app.assistants === null ? 'every role' : app.assistants.roles.join(', ') || 'nobody',
      tell: (was, is) => `assistants may act as ${is} (was ${was})`,
    },
    {
      name: 'assistants ask before',
      value: app.assistantsAsk.map(({ step, entity }) => [step, entity]),
      words: app.assistantsAsk.map(({ cell }) => cell.text).join(', ') || 'nothing',
      tell: (was, is) => `assistants ask their person before ${is} (was ${was})`,
    },
  ]
  const places: Readonly<Record<string, Cell | null>> = {
    name: title,
    zone: timeZone.cell,
    week: weekBegins.cell,
    colour: brand.colour?.cell ?? null,
    logo: brand.logo?.cell ?? null,
    theme: brand.theme?.cell ?? null,
    'sign-in text': brand.signInText,
    languages: languages[0]?.cell ?? null,
    'sign-up': signUp?.cell ?? null,
  }
  const all = aspects(parts, cell, renames, null).map(aspect => ({
    ...aspect,
    cell: places[aspect.name] ?? aspect.cell,
  }))
  return [{ id: 'product', cell, section: 1, comes: '', goes: '', aspects: all }]
}

/** Who may come in whom nobody invited. */
const tellSignUp: Aspect['tell'] = (was, is) => `who may sign up uninvited: ${is ?? 'nobody'} (was ${was ?? 'nobody'})`

function entityThings(app: App, entity: Entity, renames: Renames): readonly Thing[] {
  const { key, name, cell, partOf } = entity
  // Every person has these two, whatever the document says.
  const unseen = unseenIn(entity)
  const fields = entity.fields.filter(
    field => !unseen.has(field.key) && (!entity.builtIn || (field.key !== 'name' && field.key !== 'email')),
  )
  const id = `entity ${renames.entity(key)}`
  const parts: Part[] = [
    { name: 'name', value: name, words: name, tell: (was, is) => `${was} is now called ${is}` },
    {
      name: 'partOf',
      value: { partOf },
      words: partOf === null ? null : (app.entities.get(partOf)?.name ?? partOf),
      tell: (was, is) =>
        is === null
          ? `${name} is an entity of its own (was part of ${was})`
          : `${name} is part of ${is} (was ${was === null ? 'an entity of its own' : `part of ${was}`})`,
    },
  ]
  parts.push({
    name: 'title',
    value: titleFields(entity),
    words: list(titleFields(entity)),
    tell: changed(`${name}, what its records are called by`),
  })
  parts.push({
    name: 'comments',
    value: entity.comments,
    words: entity.comments === null ? 'whoever sees it' : (list(specified(entity.comments)?.roles ?? []) ?? 'nobody'),
    tell: changed(`${name}, who comments`),
  })
  parts.push({
    name: 'timeline',
    value: entity.timeline,
    words: entity.timeline === null ? 'whoever sees it' : (list(specified(entity.timeline)?.roles ?? []) ?? 'nobody'),
    tell: changed(`${name}, who sees the timeline`),
  })
  parts.push({
    name: 'once',
    value: entity.once,
    words: entity.once ?? 'nothing',
    tell: changed(`${name}, what tells repetitions over the API`),
  })
  parts.push({
    name: 'refused',
    value: entity.refused,
    words: list(specified(entity.refused)?.roles ?? []) ?? 'nobody',
    tell: changed(`${name}, who sees refused attempts`),
  })
  parts.push({
    name: 'archives',
    value: entity.archives !== null,
    words: entity.archives === null ? 'is gone' : 'is archived',
    tell: changed(`${name}, what is deleted`),
  })
  parts.push({
    name: 'keep',
    value: entity.keep?.cell.text ?? null,
    words: entity.keep?.cell.text ?? null,
    tell: changed(`${name}, how long what is personal is kept`),
  })
  parts.push({
    name: 'marks',
    value: entity.marks.map(({ cell }) => cell.text),
    words: list(entity.marks.map(({ cell }) => cell.text)),
    tell: changed(`${name}, what its records are marked with`),
  })
  parts.push({
    name: 'order',
    value: entity.order.map(({ field, descending }) => ({ field, descending })),
    words: sortWords(entity.order),
    tell: changed(`${name}, the order of its records`),
  })
  parts.push({
    name: 'frozen',
    value: entity.frozen?.cell ?? null,
    words: entity.frozen?.cell.text ?? null,
    tell: changed(`${name}, what stays as it is`),
  })
  parts.push({
    name: 'face',
    value: entity.face?.cell.text ?? null,
    words: entity.face?.cell.text ?? null,
    tell: changed(`${name}, what is shown of its records among others`),
  })
  parts.push({
    name: 'readLog',
    value: entity.readLog !== null,
    words: entity.readLog === null ? 'no' : 'yes',
    tell: changed(`${name}, written down who reads it`),
  })
  parts.push({
    name: 'signInWhen',
    value: entity.signInWhen?.cell.text ?? null,
    words: entity.signInWhen?.cell.text ?? null,
    tell: changed('who can sign in'),
  })
  parts.push({
    name: 'table',
    value: entity.table?.text ?? null,
    words: entity.table?.text ?? null,
    tell: changed(`${name}, the table of another application that its records lie in`),
  })
  parts.push(
    ...rest(
      entity,
      [
        // As what nobody may, under heading 6.
        'appendOnly',
        'comments',
        'timeline',
        'refused',
        'once',
        'archives',
        'frozen',
        'keep',
        'marks',
        'order',
        'face',
        'readLog',
        'signInWhen',
        'table',
        'partOf',
        'fields',
        'shape',
        'title',
        'reference',
        'called',
        'builtIn',
        'samples',
      ],
      name,
    ),
  )
  const names = fields.map(field => field.key)
  const whole: Thing = {
    id,
    cell,
    section: 3,
    comes: `the entity ${name} is new${names.length === 0 ? '' : `, with ${names.join(', ')}`}`,
    goes: `the entity ${name} is gone${names.length === 0 ? '' : `, with ${names.join(', ')}`}`,
    aspects: aspects(parts, cell, renames, key),
  }
  return [whole, ...fields.map(field => fieldThing(entity, field, id, renames))]
}

/** The rules of a field, as they are written: what stands before the expression. */
const ruleWords: Readonly<Record<string, string>> = {
  default: 'default ',
  min: 'min ',
  max: 'max ',
  copiedFrom: 'copied from ',
  onlyWhen: 'only when ',
  readOnlyWhen: 'read-only when ',
  computed: '= ',
}

function fieldThing(entity: Entity, field: Field, within: string, renames: Renames): Thing {
  const title = `${entity.name}.${field.key}`
  const { label, kind, parameters, typeCell, required, unique, pattern, readOnly, setBy, hidden, display, searchable } =
    field
  const ruleOf = (name: string, value: unknown, words = wordsOf(value)): Part => ({
    name,
    value,
    words: words === null ? null : `${ruleWords[name] ?? ''}${words}`,
    tell: changed(title),
  })
  const rules: readonly Part[] = [
    { ...ruleOf('required', required), tell: (was, is) => tellRequired(title, was, is) },
    ruleOf('unique', unique),
    ruleOf('default', field.default),
    ruleOf('min', field.min),
    ruleOf('max', field.max),
    ruleOf('pattern', pattern === null ? null : pattern.source, pattern === null ? null : pattern.cell.text),
    ruleOf('read-only', readOnly),
    ruleOf('readOnlyWhen', field.readOnlyWhen),
    ruleOf('onlyWhen', field.onlyWhen),
    ruleOf('no overlap', field.noOverlap),
    ruleOf('choose from', field.chooseFrom),
    ruleOf('assigned from', field.assignedFrom),
    ruleOf('gapless', field.gapless),
    ruleOf('givenOn', field.givenOn?.cell ?? null),
    ruleOf('frozen', field.frozen?.cell ?? null),
    ruleOf('personal', field.personal),
    ...[...field.refusals].map(([builtIn, { code, cell }]) => ({
      name: `else ${builtIn}`,
      value: { code },
      words: cell.text,
      tell: changed(`${title}, its error in place of ${builtIn}`),
    })),
    ruleOf('set by', setBy),
    ruleOf('hidden', hidden),
    ruleOf('display', display),
    ruleOf('searchable', searchable),
    ruleOf(field.renewed ? 'computed' : 'copiedFrom', field.copiedFrom),
    ...(field.renewed ? [] : [ruleOf('computed', field.computed)]),
  ]
  const known = [
    'label',
    'kind',
    'typeCell',
    'parameters',
    'type',
    'optional',
    'required',
    'unique',
    'default',
    'min',
    'max',
    'pattern',
    'readOnly',
    'readOnlyWhen',
    'onlyWhen',
    'noOverlap',
    'chooseFrom',
    'assignedFrom',
    'gapless',
    'givenOn',
    'frozen',
    'personal',
    'refusals',
    'setBy',
    'hidden',
    'display',
    'searchable',
    'copiedFrom',
    'renewed',
    'computed',
  ]
  const parts: readonly Part[] = [
    {
      name: 'key',
      value: renames.field(entity.key, field.key),
      words: field.key,
      tell: (was, is) => `${entity.name}.${was} is now called ${is}`,
    },
    // A label that follows from the name is told with the name.
    {
      name: 'label',
      value: label === labelOf(field.key) ? null : label,
      words: label,
      tell: changed(`${title}, its label`),
    },
    { name: 'type', value: { kind, parameters }, words: typeCell.text, tell: tellType(title) },
    ...rules,
    ...rest(field, known, title),
  ]
  const spoken = rules.flatMap(({ words }) => (typeof words === 'string' ? [words] : []))
  const all = aspects(parts, field.cell, renames, entity.key).map(aspect =>
    // A new name is no other meaning; it is told because people see it.
    aspect.name === 'key' ? { ...aspect, meaning: field.key } : aspect,
  )
  return {
    id: `field ${renames.entity(entity.key)}.${renames.field(entity.key, field.key)}`,
    cell: field.cell,
    section: 3,
    within,
    comes: `${entity.name} has the new field ${field.key}: ${[typeCell.text, ...spoken].join('; ')}`,
    goes: `${entity.name} no longer has the field ${field.key} (${typeCell.text})`,
    aspects: all,
  }
}

/** Of two closed lists, what comes and what goes; else the two types. */
const tellType =
  (title: string): NonNullable<Part['tell']> =>
  (was, is) => {
    const [old, now] = [was, is].map(text => /^choice:\s*(.*)$/s.exec(text ?? '')?.[1]?.split(/\s*,\s*/) ?? null)
    const comes = now?.filter(choice => !old?.includes(choice)) ?? []
    const goes = old?.filter(choice => !now?.includes(choice)) ?? []
    if (!old || !now || comes.length + goes.length === 0) return changed(`${title}, its type`)(was, is)
    const gone = `may no longer be ${goes.join(' or ')}: records with it need another value before this can be applied`
    return `${title} ${[...(comes.length > 0 ? [`may now be ${comes.join(' or ')}`] : []), ...(goes.length > 0 ? [gone] : [])].join(', and ')}`
  }

function tellRequired(title: string, was: string | null, is: string | null): string {
  const old = was === null ? 'optional' : was
  return is === null
    ? `${title} is now optional (was \`${old}\`)`
    : `${title} is now \`${is}\` (was ${was === null ? old : `\`${old}\``})`
}

function rules(app: App, renames: Renames): readonly Thing[] {
  return app.rules.map(rule => {
    const { name, cell, on, mustHold, field, error } = rule
    const entity = app.entities.get(rule.entity)?.name ?? rule.entity
    const always = on === null ? null : on.join(', ').replaceAll('_', ' ')
    const parts: readonly Part[] = [
      {
        name: 'entity',
        value: { entity: rule.entity },
        words: entity,
        tell: (was, is) => `${name} applies to ${is} (was ${was})`,
      },
      {
        name: 'on',
        value: on,
        words: always,
        tell: (was, is) => `${name} applies on ${is ?? 'every change'} (was on ${was ?? 'every change'})`,
      },
      {
        name: 'must hold',
        value: mustHold,
        tell: (was, is) => `${name} must hold \`${is}\` (was \`${was}\`)`,
      },
      { name: 'field', value: { field }, words: field, tell: changed(`${name}, beside the field`) },
      { name: 'error', value: error, words: errorWords(error), tell: changed(`${name}, its error`) },
      {
        name: 'severity',
        value: { warns: rule.warns },
        words: rule.warns ? 'warning' : 'error',
        tell: (was, is) =>
          `${name} is ${is === 'warning' ? 'a warning, which may be confirmed' : 'an error, which refuses'} (was ${was})`,
      },
      ...rest(rule, ['on', 'mustHold', 'field', 'error', 'warns', 'examples'], name),
    ]
    return {
      id: `rule ${name}`,
      cell,
      section: 5,
      comes: `${name} is new: ${entity}${always === null ? '' : ` on ${always}`} must hold \`${wordsOf(mustHold)}\`, else ${errorWords(error)}${rule.warns ? ', to be confirmed' : ''}`,
      goes: `${name} is gone: ${entity} no longer has to hold \`${wordsOf(mustHold)}\``,
      aspects: aspects(parts, cell, renames, rule.entity),
    }
  })
}

const errorWords = (error: Specified<string>): string => (isUnspecified(error) ? 'not specified' : error)
