/** The application as somebody reads it who reads another of its languages: the same, in other words. */
import type { App } from './app.ts'

/** `de-AT` → `de`. */
export const languageOf = (tag: string): string => tag.split('-')[0]!.toLowerCase()

const translated = new WeakMap<App, Map<string, App>>()

/** In a language that heading 1 declares (its tag). What is not translated stays in the first language. */
export function appIn(app: App, language: string): App {
  if (language === app.language) return app
  const known = translated.get(app) ?? new Map<string, App>()
  translated.set(app, known)
  const made = known.get(language) ?? { ...app, language }
  known.set(language, made)
  return made
}
