/** The view halves of field types. A type that is shown as every value of its type, and typed as a line of text, needs none. */
import { choiceView } from './choice/view.ts'
import { dateView } from './date/view.ts'
import { dateAndTimeView } from './date-and-time/view.ts'
import { decimalView } from './decimal/view.ts'
import { durationView } from './duration/view.ts'
import { eMailView } from './e-mail/view.ts'
import type { FieldView } from './field-view.ts'
import { imageView } from './image/view.ts'
import { integerView } from './integer/view.ts'
import { linkView } from './link/view.ts'
import { longTextView } from './long-text/view.ts'
import { markdownView } from './markdown/view.ts'
import { moneyView } from './money/view.ts'
import { moneyInView } from './money-in/view.ts'
import { percentView } from './percent/view.ts'
import { phoneView } from './phone/view.ts'
import { secretView } from './secret/view.ts'
import { severalOfView } from './several-of/view.ts'
import { textView } from './text/view.ts'
import { timeView } from './time/view.ts'
import { yesNoView } from './yes-no/view.ts'

const all: readonly FieldView[] = [
  textView,
  longTextView,
  markdownView,
  integerView,
  decimalView,
  moneyView,
  moneyInView,
  percentView,
  yesNoView,
  dateView,
  dateAndTimeView,
  timeView,
  durationView,
  eMailView,
  phoneView,
  linkView,
  secretView,
  choiceView,
  severalOfView,
  imageView,
]

/** By the name of the kind. */
export const fieldViews: ReadonlyMap<string, FieldView> = new Map(all.map(view => [view.name, view]))
