/** Translation (i18n) of a document: the application as somebody reads it who reads another of its languages, the same in other words. */
import type { Cell } from '../document/source.ts'
import type { Template, TemplatePart } from '../expression/expression.ts'
import { labelOf } from '../expression/names.ts'
import { partTexts, translatedPart } from '../kinds/screens/parts.ts'
import { isLong, type Mail } from './7-calls/model.ts'
import type { App } from './app.ts'
import { isUnspecified, type Specified, specified } from './specified.ts'

const translated = new WeakMap<App, Map<string, App>>()
/** Of each that was translated, the application as it is written. */
const written = new WeakMap<App, App>()

/** In a language that heading 1 declares (its tag). What is not translated stays in the first language. */
export function appIn(app: App, language: string): App {
  if (language === app.language) return app
  const first = written.get(app) ?? app
  if (language === first.language) return first
  const known = translated.get(first) ?? new Map<string, App>()
  translated.set(first, known)
  const made = known.get(language) ?? translate(first, language)
  known.set(language, made)
  written.set(made, first)
  return made
}

/** Tags of the languages that the application is in, the default first. */
export const offeredLanguages = ({ product: { languages, defaultLanguage } }: App): readonly string[] => [
  ...new Set([defaultLanguage, ...languages].map(({ tag }) => tag)),
]

/**
 * One of the offered tags; the first one where nothing that is wanted is offered. A wanted `de-AT` finds `de`, and `de` finds `de-CH`.
 */
export function chooseLanguage(offered: readonly string[], wanted: readonly string[]): string {
  for (const tag of wanted) {
    const found =
      offered.find(one => one.toLowerCase() === tag) ??
      offered.find(one => one.toLowerCase() === tag.split('-')[0]) ??
      offered.find(one => one.toLowerCase().split('-')[0] === tag.split('-')[0])
    if (found !== undefined) return found
  }
  return offered[0] ?? 'en'
}

/** In the language that somebody chose, as far as it is offered; else in the default. */
export const appFor = (app: App, chosen: string | null): App =>
  appIn(app, chooseLanguage(offeredLanguages(app), chosen === null ? [] : [chosen.toLowerCase()]))

/**
 * A name that the model keeps as it is written because it is a value too (a state, a choice, a role), in the words of the
 * application's language.
 */
export const wordFor = (app: App, text: string): string =>
  app.product.translations.get(app.language)?.get(text)?.words.text ?? text

/** What has no name but its key, as people read it: `max_loan_days` is *Max loan days*. */
export const keyName = (app: App, key: string): string => wordFor(app, labelOf(key))

/** Keys and what decides stay as they are; what people read as the name of something is in the other language. */
function translate(app: App, language: string): App {
  const texts = app.product.translations.get(language)
  if (texts === undefined || texts.size === 0) return { ...app, language }
  const word = (text: string): string => texts.get(text)?.words.text ?? text
  // The place stays that of the original: that is what decides.
  const cell = <C extends Cell | null>(of: C): C => (of === null ? of : { ...of, text: word(of.text) })
  const each = <V>(map: ReadonlyMap<string, V>, make: (value: V, key: string) => V): ReadonlyMap<string, V> =>
    new Map([...map].map(([key, value]) => [key, make(value, key)]))
  const spoken = (template: Template): Template => ({
    ...template,
    parts: template.parts.map(part => spokenPart(part, word)),
  })
  const spokenSaid = (of: Specified<Template>): Specified<Template> => (isUnspecified(of) ? of : spoken(of))
  return {
    ...app,
    language,
    name: word(app.name),
    product: {
      ...app.product,
      brand: { ...app.product.brand, signInText: cell(app.product.brand.signInText) },
    },
    screens: app.screens.map(screen => ({
      ...screen,
      name: cell(screen.name),
      meaning: cell(screen.meaning),
      part: translatedPart(screen, { language, cell, template: spoken }),
    })),
    entities: each(app.entities, entity => ({
      ...entity,
      name: word(entity.name),
      fields: entity.fields.map(field => ({ ...field, label: word(field.label), meaning: cell(field.meaning) })),
      marks: entity.marks.map(mark => ({ ...mark, name: cell(mark.name) })),
    })),
    workflows: each(app.workflows, workflow => ({
      ...workflow,
      transitions: workflow.transitions.map(step => ({ ...step, name: word(step.name), meaning: cell(step.meaning) })),
    })),
    timers: app.timers.map(timer => ({ ...timer, name: word(timer.name) })),
    sweeps: app.sweeps.map(sweep => ({ ...sweep, name: word(sweep.name) })),
    limits: each(app.limits, limit => ({ ...limit, unit: cell(limit.unit), meaning: cell(limit.meaning) })),
    errors: each(app.errors, entry => {
      const own = { ...entry, ...entry.translated.get(language) }
      const templates = each(own.templates, one => ({
        message: spoken(one.message),
        whatToDo: one.whatToDo && spoken(one.whatToDo),
      }))
      return { ...own, templates }
    }),
    mails: each(app.mails, mail => {
      const own = { ...mail, ...mail.translated.get(language) }
      return { ...own, subject: spokenSaid(own.subject), body: own.body && spokenSaid(own.body) }
    }),
  }
}

/** A choice, or a state, is read by its name in that language. */
function spokenPart(part: TemplatePart, word: (text: string) => string): TemplatePart {
  if (part.kind !== 'value' || part.expression.type.kind !== 'choice') return part
  const words = part.expression.type.options.map(option => [option, word(option)] as const)
  return { ...part, words: Object.fromEntries(words.filter(([option, own]) => own !== option)) }
}

/** Texts of the document that people read on screens and in mails, each once, in the document's order: what a translation says anew. */
export function readTexts(app: App): readonly string[] {
  // What everybody has who signs in is called in Ninefold's own words.
  const isOwn = (key: string, builtIn: boolean) => !builtIn || (key !== 'name' && key !== 'email')
  const texts = [
    app.product.brand.signInText?.text ?? '',
    ...app.screens.flatMap(screen => [
      screen.name.text,
      ...partTexts(screen).flatMap(({ text, optional }) => (optional ? [] : [text])),
    ]),
    ...[...app.entities.values()].flatMap(({ name, fields, marks, builtIn }) => [
      ...(builtIn ? [] : [name]),
      ...marks.map(mark => mark.name.text),
      ...fields.flatMap(({ key, label, parameters, hidden }) =>
        hidden === null && isOwn(key, builtIn) ? [label, ...(parameters.choices ?? [])] : [],
      ),
    ]),
    ...[...app.workflows.values()].flatMap(({ states, transitions }) => [
      ...states.map(({ name }) => name),
      ...transitions.map(({ name }) => name),
    ]),
    ...app.roles.keys(),
    ...[...app.limits.values()].flatMap(({ key, unit, type }) => [
      labelOf(key),
      type.kind === 'money' ? '' : (unit?.text ?? ''),
    ]),
    ...[...app.errors.values()].flatMap(({ message, whatToDo }) => [
      'unspecified' in message ? '' : message.text,
      whatToDo?.text ?? '',
    ]),
    ...[...app.mails.values()].flatMap(({ subject, body }) => [mailText(subject), isLong(body) ? '' : mailText(body)]),
  ]
  return [...new Set(texts)].filter(text => /\p{L}/u.test(text))
}

/** Empty where there are no words around what is filled in. */
function mailText(of: Mail['body']): string {
  const text = (of === null ? null : specified(of))?.cell.text ?? ''
  return /\p{L}/u.test(text.replace(/\{[^{}]*\}/g, '')) ? text : ''
}

/** Texts that may be translated, and need not be. */
export function otherTexts(app: App): readonly string[] {
  return [
    app.name,
    ...[...app.entities.values()].flatMap(({ name, fields }) => [
      name,
      ...fields.flatMap(({ meaning, label }) => [label, meaning?.text ?? '']),
    ]),
    ...app.screens.flatMap(screen => [
      screen.meaning?.text ?? '',
      ...partTexts(screen).flatMap(({ text, optional }) => (optional ? [text] : [])),
    ]),
    ...[...app.workflows.values()].flatMap(({ transitions }) => transitions.map(({ meaning }) => meaning?.text ?? '')),
    ...[...app.timers, ...app.sweeps].map(({ name }) => name),
    ...[...app.limits.values()].map(({ meaning }) => meaning?.text ?? ''),
  ]
}
