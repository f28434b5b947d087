/** For tests: an address as somebody asks for it who sees everything. */
import type { Address } from './screen-kind.ts'

export const addressOf = (query: string, more: Partial<Address> = {}): Address => ({
  segments: {},
  query: new URLSearchParams(query),
  locale: 'en',
  zone: 'UTC',
  today: '2026-03-02',
  limits: {},
  closed: [],
  sees: () => true,
  restores: () => true,
  open: groups => groups,
  ...more,
})
