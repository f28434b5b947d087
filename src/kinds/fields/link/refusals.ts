import type { Refusals } from '../refusal.ts'

export const linkRefusals = {
  'NF-LINK': {
    status: 422,
    en: {
      message: '{label} must be a web address that begins with https:// or http://.',
      whatToDo: 'Copy it from the address bar of the browser; it must not contain a user name or password.',
    },
    de: {
      message: '{label} muss eine Webadresse sein, die mit https:// oder http:// beginnt.',
      whatToDo: 'Kopieren Sie sie aus der Adresszeile; sie darf weder Benutzername noch Passwort enthalten.',
    },
  },
} as const satisfies Refusals
