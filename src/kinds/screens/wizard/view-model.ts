/** What the last page of a wizard is given: every answer, with a way to change it. */
import type { WizardView } from '../form/view-model.ts'
import type { ConfirmSubmit, ErrorView, Hidden, ScreenView, ValueView } from '../view-model.ts'

export interface AnswersView extends ScreenView {
  readonly kind: 'answers'
  readonly wizard: Pick<WizardView, 'title' | 'progress' | 'steps'>
  readonly errors: readonly ErrorView[]
  /** A word above the answers that is no error. */
  readonly note: string | null
  /** One for each page. */
  readonly pages: readonly {
    readonly label: string
    /** The page itself. */
    readonly href: string
    /** A list of rows has a value for each of them. */
    readonly answers: readonly { readonly label: string; readonly values: readonly ValueView[] }[]
  }[]
  readonly action: string
  readonly hidden: readonly Hidden[]
  readonly submit: string
  /** Where only warnings are left: a submit that confirms them. */
  readonly confirm: ConfirmSubmit | null
  readonly back: Hidden & { readonly label: string }
  readonly cancel: string
}
