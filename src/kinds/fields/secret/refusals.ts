import type { Refusals } from '../refusal.ts'

export const secretRefusals = {
  'NF-SECRET': {
    status: 422,
    en: { message: '{label} must have at least {min} characters.', whatToDo: 'Choose a longer one.' },
    de: { message: '{label} muss mindestens {min} Zeichen haben.', whatToDo: 'Wählen Sie etwas Längeres.' },
  },
} as const satisfies Refusals
