import type { Refusals } from '../refusal.ts'

export const severalOfRefusals = {
  'NF-CHOICES': {
    status: 422,
    en: { message: '{label} takes any of {choices}.', whatToDo: 'Choose one or more of them.' },
    de: { message: '{label} kann enthalten: {choices}.', whatToDo: 'Wählen Sie eines oder mehrere davon.' },
  },
} as const satisfies Refusals
