/** The application as somebody reads it who reads another of its languages: the same, in other words. */
import type { Cell } from '../document/source.ts'
import type { Print } from './2-screens/model.ts'
import type { App } from './app.ts'

/** `de-AT` → `de`. */
export const languageOf = (tag: string): string => tag.split('-')[0]!.toLowerCase()

const translated = new WeakMap<App, Map<string, App>>()

/** In a language that heading 1 declares (its tag). What is not translated stays in the first language. */
export function appIn(app: App, language: string): App {
  if (language === app.language) return app
  const known = translated.get(app) ?? new Map<string, App>()
  translated.set(app, known)
  const made = known.get(language) ?? translate(app, language)
  known.set(language, made)
  return made
}

/**
 * A name that the model keeps as it is written because it is a value too (a state, a choice, a role), in the words of the
 * application's language.
 */
export const wordFor = (app: App, text: string): string =>
  app.product.translations.get(app.language)?.get(text)?.words.text ?? text

/** Keys and what decides stay as they are; what people read as the name of something is in the other language. */
function translate(app: App, language: string): App {
  const texts = app.product.translations.get(language)
  if (texts === undefined || texts.size === 0) return { ...app, language }
  const word = (text: string): string => texts.get(text)?.words.text ?? text
  // The place stays that of the original: that is what decides.
  const cell = <C extends Cell | null>(of: C): C => (of === null ? of : { ...of, text: word(of.text) })
  const each = <V>(map: ReadonlyMap<string, V>, make: (value: V, key: string) => V): ReadonlyMap<string, V> =>
    new Map([...map].map(([key, value]) => [key, make(value, key)]))
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
      emptyText: cell(screen.emptyText),
      confirmation: cell(screen.confirmation),
      confirmationTitle: cell(screen.confirmationTitle),
      meaning: cell(screen.meaning),
      views: screen.views.map(view => ({ ...view, name: cell(view.name) })),
      pages: screen.pages.map(page => ({ ...page, name: cell(page.name), meaning: cell(page.meaning) })),
      print: screen.print === null ? null : { ...screen.print, ...screen.print.translated.get(language) },
      sections: screen.sections.map(one => ({
        ...one,
        name: cell(one.name),
        tab: cell(one.tab),
        meaning: cell(one.meaning),
      })),
    })),
    entities: each(app.entities, entity => ({
      ...entity,
      name: word(entity.name),
      fields: entity.fields.map(field => ({ ...field, label: word(field.label), meaning: cell(field.meaning) })),
    })),
    workflows: each(app.workflows, workflow => ({
      ...workflow,
      transitions: workflow.transitions.map(step => ({ ...step, name: word(step.name), meaning: cell(step.meaning) })),
      timers: workflow.timers.map(timer => ({ ...timer, name: word(timer.name) })),
    })),
    sweeps: app.sweeps.map(sweep => ({ ...sweep, name: word(sweep.name) })),
    errors: each(app.errors, entry => ({ ...entry, ...entry.translated.get(language) })),
  }
}

/** Texts of the document that people read on screens, each once, in the document's order: what a translation says anew. */
export function readTexts(app: App): readonly string[] {
  // What everybody has who signs in is called in Ninefold's own words.
  const isOwn = (key: string, builtIn: boolean) => !builtIn || (key !== 'name' && key !== 'email')
  const texts = [
    app.product.brand.signInText?.text ?? '',
    ...app.screens.flatMap(({ name, emptyText, confirmation, confirmationTitle, views, pages, sections, print }) => [
      name.text,
      emptyText?.text ?? '',
      confirmation?.text ?? '',
      confirmationTitle?.text ?? '',
      ...views.map(view => view.name.text),
      ...pages.map(page => page.name.text),
      ...sections.flatMap(one => [one.name.text, one.tab?.text ?? '']),
      ...printTexts(print),
    ]),
    ...[...app.entities.values()].flatMap(({ name, fields, builtIn }) => [
      ...(builtIn ? [] : [name]),
      ...fields.flatMap(({ key, label, parameters, hidden }) =>
        hidden === null && isOwn(key, builtIn) ? [label, ...(parameters.choices ?? [])] : [],
      ),
    ]),
    ...[...app.workflows.values()].flatMap(({ states, transitions }) => [
      ...states.map(({ name }) => name),
      ...transitions.map(({ name }) => name),
    ]),
    ...app.roles.keys(),
    ...[...app.errors.values()].flatMap(({ message, whatToDo }) => [
      'unspecified' in message ? '' : message.text,
      whatToDo?.text ?? '',
    ]),
  ]
  return [...new Set(texts)].filter(text => text !== '')
}

const printTexts = (print: Print | null): readonly string[] =>
  print === null
    ? []
    : [
        print.title?.cell.text ?? '',
        ...print.parts.flatMap(({ name, text }) => [name?.text ?? '', text?.cell.text ?? '']),
        print.footer?.cell.text ?? '',
      ]

/** Texts that may be translated, and need not be. */
export function otherTexts(app: App): readonly string[] {
  return [
    app.name,
    ...[...app.entities.values()].flatMap(({ name, fields }) => [
      name,
      ...fields.flatMap(({ meaning, label }) => [label, meaning?.text ?? '']),
    ]),
    ...app.screens
      .flatMap(({ meaning, pages, sections }) => [meaning, ...[...pages, ...sections].map(one => one.meaning)])
      .map(said => said?.text ?? ''),
    ...[...app.workflows.values()].flatMap(({ timers, transitions }) => [
      ...timers.map(({ name }) => name),
      ...transitions.map(({ meaning }) => meaning?.text ?? ''),
    ]),
    ...app.sweeps.map(({ name }) => name),
  ]
}
