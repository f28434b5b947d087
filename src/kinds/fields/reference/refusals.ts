import type { Refusals } from '../refusal.ts'

export const referenceRefusals = {
  'NF-REFERENCE': {
    status: 422,
    en: { message: '{label} does not name a record.', whatToDo: 'Choose one from the list.' },
    de: { message: '{label} nennt keinen Datensatz.', whatToDo: 'Wählen Sie einen aus der Liste.' },
  },
} as const satisfies Refusals
