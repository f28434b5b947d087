/** The icons: our own drawings on a 16-unit grid, stroke only, so that they take colour and weight from the text around them. */

const paths = {
  alert: 'M8 2 1.8 13h12.4L8 2ZM8 6.5v3M8 11.4h.01',
  arrow: 'M3 8h10M9 4l4 4-4 4',
  back: 'M13 8H3M7 4 3 8l4 4',
  bell: 'M4 11.5V7a4 4 0 0 1 8 0v4.5M2.5 11.5h11M6.8 13.8h2.4',
  board: 'M2.5 2.5h3v11h-3v-11Zm4 0h3v7h-3v-7Zm4 0h3v9h-3v-9Z',
  calendar: 'M2.5 3.5h11v10h-11v-10Zm0 3h11M5.5 2v2.5M10.5 2v2.5',
  call: 'M13.5 8A5.5 5.5 0 1 1 11.6 3.8M13.5 2v3.2h-3.2',
  chart: 'M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6',
  check: 'M3.5 8.5l3 3 6-7',
  clip: 'M12.5 7.2 7.6 12a2.9 2.9 0 0 1-4.1-4.1l5-5a1.9 1.9 0 0 1 2.7 2.7l-4.9 5a.9.9 0 0 1-1.3-1.4l4.4-4.4',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 5v3.2l2 1.3',
  close: 'M4 4l8 8M12 4l-8 8',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  copy: 'M5.5 5.5h8v8h-8v-8ZM3.5 10.5h-1v-8h8v1',
  dots: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  down: 'M4 6.5 8 10.5 12 6.5',
  share:
    'M4 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4ZM12 6a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM12 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM6 7l4.2-2.1M6 9l4.2 2.1',
  download: 'M8 2v8.5M4.5 7.5 8 11l3.5-3.5M2.5 14h11',
  external: 'M9.5 2.5h4v4M13.5 2.5 8 8M11.5 9v4.5h-9v-9H7',
  file: 'M4 1.8h5l3 3v9.4H4V1.8ZM9 1.8v3h3',
  filter: 'M2 3.5h12M4.2 8h7.6M6.5 12.5h3',
  grip: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  home: 'M2.5 7.5 8 2.5l5.5 5M4 6.5v7h8v-7',
  inbox: 'M2 9l2-6h8l2 6v4H2V9Zm0 0h3.5l1 1.8h3l1-1.8H14',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.3V11M8 5h.01',
  leave: 'M9.5 2.5h-6v11h6M6.5 8h7M10.5 5l3 3-3 3',
  list: 'M5.5 4H14M5.5 8H14M5.5 12H14M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  lock: 'M4 7.5h8v6H4v-6Zm1.5 0V5a2.5 2.5 0 0 1 5 0v2.5',
  mail: 'M2 3.5h12v9H2v-9Zm0 .8 6 4.7 6-4.7',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  move: 'M2.5 8h8M7.5 4.5 11 8l-3.5 3.5M13.5 3v10',
  pencil: 'M2.5 13.5l.7-3L10.8 3l2.2 2.2-7.5 7.6-3 .7Z',
  person: 'M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8Zm-5.5 6c.6-2.6 2.7-4 5.5-4s4.9 1.4 5.5 4',
  plus: 'M8 3v10M3 8h10',
  print: 'M4.5 6V2h7v4M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7V14h-7V9.5Z',
  search: 'M7 12.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM11 11l3.5 3.5',
  settings: 'M2 4.5h6M12 4.5h2M10 2.8v3.4M2 11.5h2M8 11.5h6M6 9.8v3.4',
  talk: 'M2.5 3h11v7.5H7.5L4.5 13v-2.5h-2V3Z',
  timeline: 'M2.5 4h6M6 8h7M4 12h5.5',
  top: 'M3.5 2.5h9M8 13.5v-8M4.5 9 8 5.5 11.5 9',
  trash: 'M2.5 4.5h11M6 4V2.5h4V4M4 4.5l.7 9h6.6l.7-9',
  undo: 'M6 4 2.5 7.5 6 11M2.5 7.5h7a4 4 0 0 1 0 8',
  up: 'M4 10 8 6l4 4',
} as const

export type IconName = keyof typeof paths

export const iconNames = Object.keys(paths) as readonly IconName[]

export const iconShape = (name: IconName): string => paths[name]

/** They point along the text, and so the other way where it runs from right to left. */
const turning: ReadonlySet<IconName> = new Set(['arrow', 'back', 'leave', 'move'])

/** Decoration beside words; an icon alone on a button needs the button's own name. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      className={`ic${name === 'dots' || name === 'grip' ? ' fat' : ''}${turning.has(name) ? ' turns' : ''}`}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  )
}
