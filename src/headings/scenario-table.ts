/** The columns of a scenario, which may stand under any heading, as data. */

export const steps = {
  name: 'scenario',
  columns: [
    { name: 'Step', required: true, meaning: 'Given, When, Then, or And (which goes on with the one before).' },
    {
      name: 'Who',
      required: true,
      meaning:
        'Who does it: `Cleo the Clerk` the first time, `Cleo` from then on; `a visitor`, `the link of R1`: somebody without an account.',
    },
    {
      name: 'What',
      required: true,
      meaning:
        'A record, a step and its record, what must hold, what was made, what somebody is shown, which mails and calls left, answers, messages.',
    },
    {
      name: 'Result',
      required: true,
      meaning: 'ok, `ok with E-LATE confirmed`, denied, or a code of the error catalogue.',
    },
  ],
} as const
