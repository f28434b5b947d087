/** A field that a condition of the form shows, hides or locks. What is hidden or locked is not sent. */
import { type ReactNode, useEffect, useRef } from 'react'
import type { ControlNow } from '../../../run/write/live.ts'
import { classes } from '../../../ui/reader.tsx'

export interface ConditionalNow extends ControlNow {
  /** The script that is on its way will hide it: it takes no room until then, where there are scripts. */
  readonly early?: boolean
}

interface ConditionalProps {
  /** Null: no condition decides; the field stands by itself. */
  readonly now: ConditionalNow | null
  readonly children: ReactNode
}

export function Conditional({ now, children }: ConditionalProps) {
  const ref = useRef<HTMLFieldSetElement>(null)
  const locked = now?.locked === true
  // What was typed before it was locked will not be saved, so it does not stay in sight.
  useEffect(() => {
    if (locked) for (const control of ref.current?.elements ?? []) asItCame(control)
  }, [locked])
  if (now === null) return children
  return (
    <fieldset
      ref={ref}
      className={classes('conditional', now.early === true && 'early')}
      disabled={locked || now.absent}
      hidden={now.absent}
    >
      {children}
    </fieldset>
  )
}

function asItCame(control: Element): void {
  if (control instanceof HTMLSelectElement)
    for (const option of control.options) option.selected = option.defaultSelected
  else if (control instanceof HTMLTextAreaElement) control.value = control.defaultValue
  else if (control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type))
    control.checked = control.defaultChecked
  else if (control.role === 'combobox') control.dispatchEvent(new Event('reset'))
  else if (control instanceof HTMLInputElement && control.type !== 'hidden') control.value = control.defaultValue
}
