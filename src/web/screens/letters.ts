/** Which letter takes which step, from anywhere on the page of a record. */
import type { App } from '../../headings/app.ts'
import { ofEntity } from '../../run/statements.ts'

/** They mean the same on every page (`routes/shortcuts.tsx`). */
const taken = ['e', 'f', 'g', 'j', 'k', 'm', 'n', 'v', 'z']

/** For each step the first initial of its words that none before it has, else its first such letter: the same in all states of a record. */
export const lettersOf = ofEntity((app: App, entity: string): ReadonlyMap<string, string> => {
  const letters = new Map<string, string>()
  const free = (letter: string) =>
    /^[a-z]$/.test(letter) && !taken.includes(letter) && ![...letters.values()].includes(letter)
  for (const { key, name } of app.workflows.get(entity)?.transitions ?? []) {
    if (letters.has(key)) continue
    const text = name.toLowerCase()
    const initials = text.split(/\s+/).map(word => word.slice(0, 1))
    const letter = [...initials, ...text].find(free)
    if (letter !== undefined) letters.set(key, letter)
  }
  return letters
})
