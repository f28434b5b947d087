import type { GraphState } from '../../headings/4-states/ends.ts'
import type { Move } from '../../headings/4-states/moves.ts'
import { DevBanner } from '../banners.tsx'
import type { Line } from '../reader.tsx'
import type { Me, Shell } from '../shell.tsx'
import { ringsOf, unknownRing } from '../states.ts'

export const states: readonly GraphState[] = [
  { name: 'Draft', kind: 'start' },
  { name: 'Requested', kind: null },
  { name: 'Approved', kind: null },
  { name: 'Out', kind: null },
  { name: 'Overdue', kind: null },
  { name: 'Returned', kind: 'end' },
  { name: 'Declined', kind: 'end' },
]
export const moves: readonly Move[] = [
  { name: 'submit', from: 'Draft', to: 'Requested' },
  { name: 'approve', from: 'Requested', to: 'Approved' },
  { name: 'decline', from: 'Requested', to: 'Declined' },
  { name: 'hand out', from: 'Approved', to: 'Out' },
  { name: 'take back', from: 'Out', to: 'Returned' },
  { name: 'take back', from: 'Overdue', to: 'Returned' },
  { name: 'overdue', from: 'Out', to: 'Overdue' },
]
export const rings = ringsOf(states, moves)
export const ring = (state: string) => rings.get(state) ?? unknownRing
export const at = (section: number, line: number): Line => ({ section, line, file: 'loan-desk.md' })
export const hidden = [
  { name: 'csrf', value: 'sample' },
  { name: 'version', value: '3' },
]
export const nav: Shell['nav'] = [
  {
    title: null,
    items: [
      { label: 'My loans', href: '/loans', icon: 'list', counts: 'unread' },
      { label: 'Desk board', href: '/desk', icon: 'board', counts: 'waiting' },
    ],
  },
  { title: 'More', items: [{ label: 'Reports', href: '/reports', icon: 'chart' }] },
]
export const account: Shell['me'] = {
  roles: 'Clerk, Borrower',
  signOut: '/sign-out',
  menu: [{ kind: 'link', label: 'Constants', href: '/constants', icon: 'settings' }],
}
export const me: Me = { person: '', name: 'Cleo Marchetti', hidden: { name: 'csrf', value: 'sample' } }
export const banner = (
  <DevBanner
    links={[
      { label: 'loan-desk.md', href: '/_document', icon: 'file' },
      { label: '5 gaps', href: '/_document#gaps', icon: 'info' },
      { label: 'Mailbox', href: '/_mailbox', icon: 'mail' },
    ]}
    lines
    people={{
      action: '/_person',
      hidden,
      names: [
        { value: 'cleo', label: 'Cleo, Clerk' },
        { value: 'max', label: 'Max, Manager' },
      ],
    }}
  />
)
