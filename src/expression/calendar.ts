/**
 * The clocks and days of the application, as functions of time need them. It stands in the checked expression, so that the browser,
 * the server and the database know the same, whatever their own settings are.
 */
export interface Calendar {
  /** IANA name: `Europe/London`. */
  readonly zone: string
}

export const UTC: Calendar = { zone: 'UTC' }
