/** The columns and keys of heading 7, as data. */

export const settings = {
  name: 'settings',
  columns: [
    { name: 'Setting', required: true, meaning: 'Its name: `assets_url` is the environment variable ASSETS_URL.' },
    { name: 'Type', required: true, meaning: 'text, link or secret.' },
    { name: 'Secret', required: false, meaning: 'yes where it must never be shown.' },
    { name: 'Meaning', required: false, meaning: 'Prose for help and documentation.' },
  ],
} as const

export const calls = {
  name: 'calls',
  columns: [
    { name: 'Call', required: true, meaning: 'Key and name: `C-2 Tell the asset register`.' },
    { name: 'Trigger', required: true, meaning: 'The step that starts it: `after Loan take back`.' },
    { name: 'Request', required: true, meaning: 'Method and address: `POST {settings.assets_url}/returns`.' },
    { name: 'On failure', required: false, meaning: 'What happens on any other answer: `report E-REG-1`.' },
  ],
} as const

export const send = {
  name: 'send',
  columns: [
    { name: 'Send', required: true, meaning: 'The name in the body.' },
    {
      name: 'From',
      required: true,
      meaning: 'The value: a field or an expression; `text "Bring {number} back by {due_back}."` for a sentence.',
    },
  ],
} as const

export const answers = {
  name: 'answers',
  columns: [
    { name: 'Answer', required: true, meaning: 'Statuses: `200, 201`, `5xx`, `timeout`.' },
    {
      name: 'Then',
      required: true,
      meaning: 'What happens: `set register_ref = answer.id`, `stop; report E-REG-1`, `repeat 6 times within 2 hours`.',
    },
  ],
} as const

export const mails = {
  name: 'mails',
  elsewhere: {
    names: ['When', 'Trigger', 'Sent', 'On', 'Event'],
    where: 'When a mail is sent says the `Then` of a step, an effect or a timer: `send mail receipt`.',
  },
  columns: [
    { name: 'Mail', required: true, meaning: 'Its name: `new_request`.' },
    {
      name: 'To',
      required: true,
      meaning:
        'Roles (`Clerk`, `Clerk where department = this.department`), fields that name people or hold an e-mail address, and `waiting for` an approval: those who are asked for it.',
    },
    { name: 'Subject', required: true, meaning: 'A text with `{fields}`.' },
    {
      name: 'Body',
      required: false,
      others: ['Text', 'Message', 'Content'],
      meaning:
        'A text with `{fields}`; none. Of several lines: a fence, with the name of the mail (`receipt`, `receipt in German`).',
    },
    { name: 'Urgent', required: false, meaning: '`yes`: it leaves in quiet hours, too.' },
    {
      name: 'Optional',
      required: false,
      meaning: '`yes`: people choose on their account page how they get it.',
    },
    {
      name: 'Language',
      required: false,
      meaning: 'A text or choice that names the language for whoever has no account, or chose none: `language`.',
    },
  ],
} as const

export const received = {
  name: 'received',
  columns: [
    { name: 'Receive', required: true, meaning: 'The name in the body of the message.' },
    { name: 'Into', required: true, meaning: 'The field that takes the value.' },
  ],
} as const

/** Keys under `### Receives …`. */
export const receiveKeys = {
  name: 'receives',
  columns: [
    { name: 'About', required: false, meaning: 'The entity whose record it is about: `Item`.' },
    { name: 'Found by', required: false, meaning: 'The unique field that finds the record: `tag`.' },
    {
      name: 'Then',
      required: false,
      meaning: '`change` (where nothing stands), `create`, `create or change`, or a step: `do count`.',
    },
    {
      name: 'Sign with',
      required: false,
      meaning: 'The environment variable with which the sender signs: `secret STOCK_KEY`.',
    },
    {
      name: 'Key',
      required: false,
      meaning:
        'The environment variable whose value the sender gives: `secret STOCK_KEY`. `none`: answers of calls bring it.',
    },
    {
      name: 'Once per',
      required: false,
      meaning: 'The name in the body that is the same in repetitions: `message_id`.',
    },
    {
      name: 'Newest by',
      required: false,
      meaning: 'A date or moment field: what is not newer than the record has changes nothing.',
    },
    {
      name: 'At most',
      required: false,
      meaning: 'How many it takes in a minute: `1200`, `limits.max_counts`. 600 where nothing stands.',
    },
    { name: 'Meaning', required: false, meaning: 'Prose for documentation.' },
  ],
} as const

/** Keys of heading 7 itself. */
export const sectionKeys = {
  name: 'calls and mails',
  columns: [
    {
      name: 'Send again',
      required: false,
      meaning:
        'Roles that see what was not delivered, and may send it again: `Manager`. Without it, the roles that appoint people.',
    },
    {
      name: 'Quiet hours',
      required: false,
      meaning: 'When no mail leaves that is not urgent: `21:00 to 07:00`, in the time zone of the application.',
    },
  ],
} as const

/** Keys under a call's heading 3. */
export const properties = {
  name: 'call',
  columns: [
    {
      name: 'Trigger',
      required: false,
      meaning: 'The step that starts it: `after Loan take back`; none where only `call C-2` in heading 4 does.',
    },
    { name: 'Request', required: false, meaning: 'Method and address: `POST {settings.assets_url}/returns`.' },
    {
      name: 'Sign with',
      required: false,
      meaning: 'The environment variable whose value signs the body: `secret ASSETS_KEY`.',
    },
    {
      name: 'Header',
      required: false,
      meaning:
        'A header of the request, with settings in it: `Authorization: Bearer {settings.gateway_token}`. May stand there several times.',
      many: true,
    },
    { name: 'Timeout', required: false, meaning: 'How long to wait for the answer: `10 seconds`.' },
    { name: 'Safe to repeat', required: false, meaning: '`yes`, `no`, or `yes, key {number}`.' },
    {
      name: 'Order',
      required: false,
      meaning:
        'Over which records it keeps its order, and with which other calls: `in order per item.store`, `in order with C-1`. Without it: the record itself, by itself.',
    },
    {
      name: 'Quiet hours',
      required: false,
      meaning: '`yes`: it waits for the end of quiet hours, as mails do; for messages that wake people.',
    },
    { name: 'Meaning', required: false, meaning: 'Prose for documentation.' },
  ],
} as const

/** What may stand in the Then cell of an answer. */
export const answerActs = [
  {
    name: 'set',
    written: 'set <field> = <expression>, …',
    meaning: 'Writes fields of the record; `answer.` names what came back.',
  },
  { name: 'stop', written: 'stop', meaning: 'Nothing more is tried. After a success (`2xx`) the call is delivered.' },
  { name: 'report', written: 'report <error>', meaning: 'Records an error of heading 8.' },
  { name: 'do', written: 'do <step>', meaning: 'Takes a step of the record.' },
  {
    name: 'receive',
    written: 'receive <message> from answer.<name>',
    meaning: 'Takes what stands there as messages of a `Receives`: one, or a list of them.',
  },
  {
    name: 'repeat',
    written: 'repeat <n> times within <duration>',
    meaning: 'Tries again at growing distances; what follows in the cell happens when all have failed.',
  },
] as const
