import type { Refusals } from '../refusal.ts'

export const choiceRefusals = {
  'NF-CHOICE': {
    status: 422,
    en: { message: '{label} must be one of {choices}.', whatToDo: 'Choose one of them.' },
    de: { message: '{label} muss eines von diesen sein: {choices}.', whatToDo: 'Wählen Sie eines davon.' },
  },
} as const satisfies Refusals
