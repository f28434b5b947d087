import type { Refusals } from '../refusal.ts'

export const yesNoRefusals = {
  'NF-YES-NO': {
    status: 422,
    en: { message: '{label} must be yes or no.', whatToDo: 'Choose one of the two.' },
    de: { message: '{label} muss ja oder nein sein.', whatToDo: 'Wählen Sie eines von beiden.' },
  },
} as const satisfies Refusals
