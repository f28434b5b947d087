/** `/-/shortcuts`: what keys do, on pages whose scripts run. `?` leads here, and so does one's menu. */
import { PageHead, Sheet } from '../../ui/page.tsx'
import { pageOf } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { type SentenceKey, say } from '../sentences.ts'

/** Keys as they are printed on them, by what is done with them. */
const groups = [
  {
    title: 'shortcutsEverywhere',
    keys: [
      ['Ctrl K · ⌘ K · /', 'key.find'],
      ['n', 'key.new'],
      ['g', 'key.go'],
      ['?', 'key.help'],
      ['.', 'key.news'],
      ['z', 'key.undo'],
      ['@', 'key.mention'],
    ],
  },
  {
    title: 'shortcutsList',
    keys: [
      ['j · k', 'key.row'],
      ['v · Shift', 'key.select'],
      ['f', 'key.filter'],
      ['1 – 9', 'key.view'],
      ['← → ↑ ↓', 'key.cells'],
      ['Home · End', 'key.ends'],
      ['Alt ↑ · Alt ↓', 'key.place'],
      ['Enter · F2', 'key.change'],
    ],
  },
  {
    title: 'shortcutsRecord',
    keys: [
      ['A', 'key.step'],
      ['e', 'key.edit'],
      ['m', 'key.comment'],
      ['j · k', 'key.beside'],
    ],
  },
  {
    title: 'shortcutsCell',
    keys: [
      ['Enter', 'key.save'],
      ['Esc', 'key.leave'],
    ],
  },
  {
    title: 'shortcutsOpen',
    keys: [
      ['↑ ↓', 'key.choose'],
      ['Esc', 'key.close'],
    ],
  },
] as const satisfies readonly {
  readonly title: SentenceKey
  readonly keys: readonly (readonly [string, SentenceKey])[]
}[]

export function shortcutsPage(context: RequestContext): Promise<HttpResponse> {
  const { site } = context
  const title = say(site, 'shortcutsTitle')
  const [before = '', after = ''] = say(site, 'shortcutsTurned', { account: '\n' }).split('\n')
  return pageOf(context, {
    title: [title],
    content: (
      <>
        <PageHead title={title} />
        <div className="stack">
          <p>
            {before}
            <a href="/-/account">{say(site, 'account')}</a>
            {after}
          </p>
          {groups.map(group => (
            <Sheet key={group.title} title={say(site, group.title)}>
              <dl className="dl">
                {group.keys.map(([keys, what]) => (
                  <div key={what}>
                    <dt>{say(site, what)}</dt>
                    <dd>
                      <kbd>{keys}</kbd>
                    </dd>
                  </div>
                ))}
              </dl>
            </Sheet>
          ))}
        </div>
      </>
    ),
  })
}
