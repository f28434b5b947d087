import type { Refusals } from '../refusal.ts'

export const phoneRefusals = {
  'NF-PHONE': {
    status: 422,
    en: {
      message: '{label} must be a phone number, like {example}.',
      whatToDo: 'Write 3 to 15 digits; spaces, hyphens and a + at the start are allowed.',
    },
    de: {
      message: '{label} muss eine Telefonnummer sein, zum Beispiel {example}.',
      whatToDo: 'Schreiben Sie 3 bis 15 Ziffern; Leerzeichen, Bindestriche und ein + am Anfang sind erlaubt.',
    },
  },
} as const satisfies Refusals
