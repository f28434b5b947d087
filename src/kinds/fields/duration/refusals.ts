import type { Refusals } from '../refusal.ts'

export const durationRefusals = {
  'NF-DURATION': {
    status: 422,
    en: {
      message: '{label} must be a length of time in hours and minutes, like {example}.',
      whatToDo: 'Write hours and minutes.',
    },
    de: {
      message: '{label} muss eine Dauer in Stunden und Minuten sein, zum Beispiel {example}.',
      whatToDo: 'Schreiben Sie Stunden und Minuten.',
    },
  },
  'NF-DAYS': {
    status: 422,
    en: {
      message: '{label} must be a number of days, weeks, months or years, like {example}.',
      whatToDo: 'Write a whole number and its unit.',
    },
    de: {
      message: '{label} muss eine Anzahl von Tagen, Wochen, Monaten oder Jahren sein, zum Beispiel {example}.',
      whatToDo: 'Schreiben Sie eine ganze Zahl und ihre Einheit.',
    },
  },
} as const satisfies Refusals
