/** One record: what can be done, its facts and rows, where it is in its life, what happened. */
import { Block } from '../../../ui/block.tsx'
import { AskButton, LinkButton, Menu, PostButton } from '../../../ui/buttons.tsx'
import { History, type HistoryItem } from '../../../ui/history.tsx'
import { Icon, type IconName } from '../../../ui/icons.tsx'
import { Views } from '../../../ui/list.tsx'
import { Marks, Note, PageHead, Sheet, Tag } from '../../../ui/page.tsx'
import { LineMark } from '../../../ui/provenance.tsx'
import { useReader } from '../../../ui/reader.tsx'
import { Decide, DescriptionList, Progress, RecordGrid } from '../../../ui/record.tsx'
import { Rich } from '../../../ui/rich.tsx'
import { StateLabel } from '../../../ui/state.tsx'
import { FollowButton, NewComment, Thread } from '../../../ui/talk.tsx'
import { closedSteps, openSteps } from '../actions.tsx'
import { AssumedBoxes } from '../assumed.tsx'
import { ChildTable } from '../child-table.tsx'
import { FaceOf, Picture } from '../face.tsx'
import { Lines } from '../lines.tsx'
import type { HistoryEntryView, RecordView, RelatedView, SectionView, TalkView } from '../record-view.ts'
import { Value } from '../value.tsx'
import type { LinkView, ValueView } from '../view-model.ts'
import { Approvals } from './approvals.tsx'

export function OneScreen({ view }: { readonly view: RecordView }) {
  const { words } = useReader()
  const open = openSteps(view.actions, view.pageTitle)
  const noEdit = view.editClosed
  const { talk } = view
  const closed = [
    ...closedSteps(view.actions),
    ...(noEdit === null ? [] : [{ label: words('edit'), reason: noEdit.why, line: noEdit.mark }]),
  ]
  const hasProgress = view.diagram !== null || open.length + closed.length > 0
  return (
    <>
      <PageHead
        title={view.title}
        reference={view.reference}
        picture={<Picture of={view.picture} />}
        meaning={view.meaning}
        facts={<Facts view={view} />}
        actions={<HeadActions view={view} />}
      />
      {view.strip.length > 0 && (
        <dl className="strip">
          {view.strip.map(({ key, label, value, mark }) => (
            <div key={key}>
              <dt>
                {label} <LineMark line={mark} />
              </dt>
              <dd>
                <Value value={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <RecordGrid
        decide={open.length === 0 ? undefined : <Decide title={words('decide')} steps={open} />}
        main={
          <>
            {view.opened !== null && (
              <Note tone="wait" icon="alert">
                {view.opened}
              </Note>
            )}
            {view.archived !== null && <Note icon="inbox">{view.archived.note}</Note>}
            <Tabs tabs={view.tabs} object={view.pageTitle} />
            {view.approvals.all.length > 0 && <Approvals title={view.approvals.title} approvals={view.approvals.all} />}
            {hasProgress && (
              <Progress
                diagram={view.diagram}
                open={open}
                closed={closed}
                line={view.diagram?.mark ?? null}
                foot={<WhyLink why={view.why} />}
              />
            )}
            {view.blocks.map(block => (
              <Block key={block.key} block={block} />
            ))}
            {!hasProgress && <WhyLink why={view.why} />}
            {view.related.length > 0 && (
              <div className="stack noprint">
                {view.related.map(list => (
                  <Related key={list.key} list={list} />
                ))}
              </div>
            )}
            {(view.history.length > 0 || talk !== null) && (
              <section className="noprint" aria-labelledby="activity">
                <div className="acthead">
                  <h2 id="activity">{words('activity')}</h2>
                  {view.shows.length > 0 && (
                    <nav className="seg" aria-label={words('activity')}>
                      {view.shows.map(({ label, href, current }) => (
                        <a key={href} href={href} aria-current={current ? 'true' : undefined}>
                          {label}
                        </a>
                      ))}
                    </nav>
                  )}
                  {talk !== null && <FollowButton {...talk} object={view.pageTitle} />}
                </div>
                {talk !== null && <NewComment {...talk} />}
                <History items={view.history.map((one, at) => historyItem(one, at, talk))} />
              </section>
            )}
          </>
        }
        side={
          view.assumed.length + view.attachments.length === 0 ? undefined : (
            <>
              {view.attachments.length > 0 && <Attachments files={view.attachments} />}
              <AssumedBoxes assumed={view.assumed} />
            </>
          )
        }
      />
    </>
  )
}

const WhyLink = ({ why }: { readonly why: RecordView['why'] }) =>
  why !== null && (
    <p className="link-more noprint">
      <a href={why.href}>{why.label}</a>
    </p>
  )

/** All tabs are on the page, for print and for those who look for a word; the style sheet shows the open one. */
function Tabs({ tabs, object }: { readonly tabs: RecordView['tabs']; readonly object: string }) {
  const { words } = useReader()
  if (tabs.length < 2) return tabs[0]?.sections.map(one => <Section key={one.key} section={one} object={object} />)
  return (
    <>
      <Views views={tabs} label={words('sections')} />
      {tabs.map(({ href, current, sections }) => (
        <div key={href} className={current ? 'stack' : 'stack shut'}>
          {sections.map(one => (
            <Section key={one.key} section={one} object={object} />
          ))}
        </div>
      ))}
    </>
  )
}

function Section({ section, object }: { readonly section: SectionView; readonly object: string }) {
  const { title, meaning, mark, facts, children } = section
  // A section that is nothing but one list of rows is that list.
  const isList = facts.length === 0 && meaning === null && children.length === 1 && section.key !== ''
  return (
    <>
      {(facts.length > 0 || meaning !== null) && (
        <Sheet title={title} line={mark}>
          {meaning !== null && <p className="muted meaning">{meaning}</p>}
          <DescriptionList
            facts={facts.map(fact => ({
              label: fact.label,
              value: fact.value.rich ? <Rich parts={fact.value.rich} /> : <Value value={fact.value} />,
              long: fact.value.look === 'long' && fact.value.text !== '',
              line: fact.mark,
            }))}
          />
        </Sheet>
      )}
      {children.map(list => (
        <Sheet
          key={list.key}
          title={isList ? title : list.label}
          aside={<span className="muted">{list.rows.length}</span>}
          line={list.mark}
          flush
        >
          <ChildTable list={list} object={object} />
        </Sheet>
      ))}
    </>
  )
}

function Related({ list }: { readonly list: RelatedView }) {
  return (
    <Sheet title={list.label} aside={<span className="muted">{list.count}</span>} flush={list.lines !== null}>
      {list.lines !== null && <Lines label={list.label} lines={list.lines} />}
      {list.rows.length > 0 && (
        <ul className="rows">
          {list.rows.map(({ id, face, marks, state }) => (
            <li key={id}>
              <FaceOf face={face}>
                <Marks of={marks} />
              </FaceOf>
              {state !== null && (
                <span className="end">
                  <StateLabel name={state.label} ring={state.ring} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {[list.all, list.create].map(
        link =>
          link !== null && (
            <p className="link-more" key={link.href}>
              <a href={link.href}>{link.label}</a>
            </p>
          ),
      )}
    </Sheet>
  )
}

function Facts({ view }: { readonly view: RecordView }) {
  return (
    <>
      {view.state !== null && <StateLabel name={view.state.label} ring={view.state.ring} pill />}
      {view.marks.length > 0 && (
        <span>
          <Marks of={view.marks} />
        </span>
      )}
    </>
  )
}

function HeadActions({ view }: { readonly view: RecordView }) {
  const { words } = useReader()
  const { edit, remove, duplicate, ways, near, pageTitle } = view
  const more = [...ways, ...(duplicate === null ? [] : [{ ...duplicate, icon: 'copy' as const }])]
  const restore = view.archived?.restore ?? null
  const isEmpty = edit === null && remove?.open !== true && restore === null && more.length === 0 && near === null
  if (isEmpty) return null
  return (
    <>
      {near !== null && (
        <span className="near">
          <Beside link={near.previous} rel="prev" />
          <Beside link={near.next} rel="next" />
        </span>
      )}
      {edit !== null && (
        <LinkButton href={edit.href} icon="pencil" object={pageTitle} letter="e">
          {edit.label}
        </LinkButton>
      )}
      {restore !== null && (
        <PostButton action={restore.action} hidden={restore.hidden} tone="primary" icon="undo" object={pageTitle}>
          {restore.label}
        </PostButton>
      )}
      {remove?.open === true && (
        <AskButton
          action={remove.action}
          hidden={remove.hidden}
          tone={remove.danger ? 'bad' : 'plain'}
          icon={remove.danger ? 'trash' : 'inbox'}
          ask={{ title: `${remove.label} ${pageTitle}?`, consequence: remove.why, confirm: remove.label }}
        >
          {remove.label}
        </AskButton>
      )}
      {more.length > 0 && (
        <Menu
          id="more"
          label={words('moreActions')}
          icon="dots"
          items={more.map(({ label, href, icon }) => ({ kind: 'link', label, href, icon }))}
        />
      )}
    </>
  )
}

/** A way to the record beside this one; at an end of the list there is none, and its place stays. */
function Beside({ link, rel }: { readonly link: LinkView | null; readonly rel: 'prev' | 'next' }) {
  const { words } = useReader()
  const icon = <Icon name={rel === 'prev' ? 'up' : 'down'} />
  if (link === null)
    return (
      <span className="btn sq off" aria-hidden="true">
        {icon}
      </span>
    )
  const label = words(rel === 'prev' ? 'previousOf' : 'nextOf', { object: link.label })
  return (
    <a
      className="btn sq"
      rel={rel}
      href={link.href}
      aria-label={label}
      title={label}
      aria-keyshortcuts={rel === 'prev' ? 'k' : 'j'}
    >
      {icon}
    </a>
  )
}

/** Names, sizes, and what a browser shows of them; a document opens in a frame on request. */
function Attachments({ files }: { readonly files: RecordView['attachments'] }) {
  const { words } = useReader()
  return (
    <Sheet title={words('attachments')} aside={<span className="muted">{files.length}</span>}>
      <ul className="rows files">
        {files.map(({ field, name, size, href, preview }) => (
          <li key={field}>
            <Icon name="clip" />
            <span className="name">
              <a href={href}>{name}</a>
              <small className="muted">{field}</small>
            </span>
            <span className="end">{size}</span>
            {preview?.kind === 'image' && (
              <a className="shown" href={href}>
                <img className="thumb" src={href} alt={name} loading="lazy" />
              </a>
            )}
            {preview?.kind === 'frame' && (
              <details className="shown noprint">
                <summary>
                  {words('preview')} <span className="vh">{name}</span>
                </summary>
                <iframe src={preview.src} title={`${field}: ${name}`} loading="lazy" />
              </details>
            )}
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

const icons: Readonly<Record<HistoryEntryView['kind'], IconName>> = {
  create: 'plus',
  change: 'pencil',
  delete: 'trash',
  step: 'arrow',
  timer: 'clock',
  mail: 'mail',
  call: 'call',
  report: 'alert',
  comment: 'talk',
  decision: 'check',
  emergency: 'alert',
  refused: 'alert',
  erase: 'trash',
  'give out': 'download',
  appointment: 'check',
  'sign-in': 'check',
  share: 'share',
}

function historyItem(view: HistoryEntryView, at: number, talk: TalkView | null): HistoryItem {
  const { kind, who, what, when, changes, delivery, comment } = view
  return {
    id: String(at),
    icon: icons[kind],
    ...(delivery?.family === 'bad'
      ? { tone: 'bad' as const }
      : delivery?.family === 'good'
        ? { tone: 'good' as const }
        : {}),
    who,
    what: (
      <>
        {what} {delivery !== null && <Tag tone={delivery.family}>{delivery.text}</Tag>}
      </>
    ),
    when: { iso: view.at, text: when },
    ...(view.reason === null ? {} : { said: <blockquote>{view.reason}</blockquote> }),
    ...(comment === null || talk === null ? {} : { said: <Thread {...comment} {...talk} /> }),
    changes: changes.map(({ label, before, after }) => ({
      field: label,
      before: textOf(before),
      after: textOf(after),
    })),
  }
}

const textOf = ({ text }: ValueView): string | null => (text === '' ? null : text)
