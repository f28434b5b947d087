/** Where one is in a form of several pages, in words and as a list with ways back. */
import { Icon } from '../../../ui/icons.tsx'
import { useReader } from '../../../ui/reader.tsx'
import type { WizardView } from './view-model.ts'

export function WizardSteps({ title, progress, steps }: Pick<WizardView, 'title' | 'progress' | 'steps'>) {
  const { words } = useReader()
  return (
    <nav className="wiz" aria-label={title}>
      <p>
        <b>{title}</b> <span className="muted">{progress}</span>
      </p>
      <ol>
        {steps.map(({ label, href, state }) => (
          <li key={label} className={state} aria-current={state === 'now' ? 'step' : undefined}>
            {state === 'done' && (
              <>
                <Icon name="check" />
                <span className="vh">{words('stepDone')}: </span>
              </>
            )}
            {href === null ? <span>{label}</span> : <a href={href}>{label}</a>}
          </li>
        ))}
      </ol>
    </nav>
  )
}
