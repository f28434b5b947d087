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

/** What a row may say, by its step: for whoever wrote something that is none of it. */
export const forms = {
  given: [
    'Loan L1 by Cleo with item CA-0001, state Requested',
    'Cleo the Clerk with manager Dan',
    'today 2026-03-02 at 16:00',
    '3 days pass',
    'limits.max_loan_days = 7',
    'call C-2 of L1 is answered 200 with id R-77',
  ],
  when: [
    'Loan L1 with item CA-0001',
    'approve L1',
    'decline L1 with reason Broken',
    'change L1 with purpose A film',
    'see L1',
    'delete L1',
    'today 2026-03-02 at 16:00',
    '3 days pass',
    'call C-2 of L1 is answered 503',
    'call C-2 of L1 gets no answer',
  ],
  holds: [
    'L1.state = Approved',
    'Fine F1 was made with kind Late',
    'no Fine was made',
    '1 mail granted was sent to Cleo',
    'no mail was sent',
    'call C-2 was made',
    'L1 shows amount 12.00',
    'My loans does not show L1',
  ],
} as const
