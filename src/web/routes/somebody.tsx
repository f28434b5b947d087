/** Somebody to be chosen from a list, or named where there are too many for one. */
import type { ReactNode } from 'react'
import { mostOffered, type Somebody } from '../../run/people/find.ts'
import { SelectControl, TextControl } from '../../ui/controls.tsx'
import { Field } from '../../ui/form.tsx'
import { say } from '../sentences.ts'
import type { Site } from '../site.ts'

interface Props {
  readonly site: Site
  readonly name: string
  readonly label: string
  readonly value: string
  readonly error: string | null
  /** As `otherPeople` gives them. */
  readonly people: readonly Somebody[]
}

export function SomebodyField({ site, name, label, value, error, people }: Props): ReactNode {
  const isMany = people.length > mostOffered
  return (
    <Field
      id={name}
      label={label}
      error={error}
      width="medium"
      {...(isMany ? { hint: say(site, 'personDataSearch') } : {})}
    >
      {aid =>
        isMany ? (
          <TextControl aid={aid} name={name} value={value} />
        ) : (
          <SelectControl
            aid={aid}
            name={name}
            value={value}
            options={people.map(person => ({ value: person.id, label: person.name }))}
          />
        )
      }
    </Field>
  )
}
