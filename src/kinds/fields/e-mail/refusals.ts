import type { Refusals } from '../refusal.ts'

export const eMailRefusals = {
  'NF-EMAIL': {
    status: 422,
    en: {
      message: '{label} must be an e-mail address, like {example}.',
      whatToDo: 'Check the part before and after the @.',
    },
    de: {
      message: '{label} muss eine E-Mail-Adresse sein, zum Beispiel {example}.',
      whatToDo: 'Prüfen Sie den Teil vor und nach dem @.',
    },
  },
} as const satisfies Refusals
