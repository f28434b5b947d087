/** The small parts, and the nine headings. */
import { nineTitles } from '../../document/nine.ts'
import { LinkButton, Submit } from '../buttons.tsx'
import type { HeadingView } from '../document.tsx'
import { Icon, iconNames } from '../icons.tsx'
import { Note, PageHead, Sheet, Stack, Tag } from '../page.tsx'
import { EmptyState } from '../problem.tsx'
import { StateLabel } from '../state.tsx'
import { at, ring, states } from './samples.tsx'

export const headings = nineTitles.map(
  (title, index): HeadingView => ({
    number: index + 1,
    title,
    status: 'unspecified',
    gaps: 1,
    line: at(index + 1, 5 + index * 4),
  }),
)

export const parts = (
  <>
    <PageHead title="Parts" />
    <Stack>
      <Sheet title="Buttons">
        <div className="acts">
          <Submit tone="primary">Primary</Submit>
          <Submit>Plain</Submit>
          <Submit tone="bad" icon="close">
            Final
          </Submit>
          <Submit tone="quiet">Quiet</Submit>
          <Submit small icon="plus">
            Small
          </Submit>
        </div>
      </Sheet>
      <Sheet title="States">
        <div className="acts">
          {states.map(({ name }) => (
            <StateLabel key={name} name={name} ring={ring(name)} pill />
          ))}
          {states.map(({ name }) => (
            <StateLabel key={name} name={name} ring={ring(name)} />
          ))}
        </div>
      </Sheet>
      <Sheet title="Icons">
        <div className="acts">
          {iconNames.map(name => (
            <span key={name} title={name}>
              <Icon name={name} />
            </span>
          ))}
        </div>
      </Sheet>
      <Sheet title="Notes">
        <Stack>
          {(['go', 'wait', 'good', 'bad'] as const).map(tone => (
            <Note key={tone} tone={tone}>
              A note of the family “{tone}”.
            </Note>
          ))}
          <div className="acts">
            {(['go', 'wait', 'good', 'bad', 'mute'] as const).map(tone => (
              <Tag key={tone} tone={tone} icon="clock">
                {tone}
              </Tag>
            ))}
          </div>
        </Stack>
      </Sheet>
      <div className="sheet">
        <EmptyState
          title="Nothing is waiting."
          text="When somebody asks for items, the loan appears here."
          actions={
            <LinkButton href="/loans/new" tone="primary" icon="plus">
              New loan
            </LinkButton>
          }
          line={at(2, 34)}
        />
      </div>
      <div className="sheet">
        <EmptyState
          art="search"
          title="Nothing matches these filters"
          actions={<LinkButton href="/loans">Clear all filters</LinkButton>}
        />
      </div>
    </Stack>
  </>
)
