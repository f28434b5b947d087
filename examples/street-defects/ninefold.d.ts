/** Made by `ninefold types` from street-defects.md. Not to be changed by hand. */

import type { JSX } from 'react'
import type { BlockProps, BlockStep, ScreenGiven, ScreenProps } from 'ninefold/blocks'
export type { BlockProps, BlockStep, ScreenGiven, ScreenProps } from 'ninefold/blocks'
import type { DateText, Decimal, Moment } from 'ninefold/functions'
export type { DateText, Decimal, Moment } from 'ninefold/functions'

export interface Person {
  id: string
  name: string
  email: string
  district: string | null
  company: string | null
}

export interface District {
  id: string
  name: string
}

export interface Street {
  id: string
  name: string
  district: string
  main_road: boolean
}

export interface Category {
  id: string
  name: string
  days: number
  danger: boolean
}

export interface ContractorCompany {
  id: string
  name: string
  phone: string | null
  email: string
  vat_number: string | null
  active: boolean
}

export interface Material {
  id: string
  name: string
  unit: "Piece" | "Kilogram" | "Metre" | "Litre"
  price: Decimal
}

export interface Report {
  id: string
  state: "New" | "Linked" | "Dismissed" | "Withdrawn"
  number: string | null
  category: string
  street: string
  place: string
  description: string | null
  photo: { digest: string; size: number; type: string; name: string } | null
  email: string | null
  case: string | null
}

export interface Claim {
  id: string
  number: string | null
  name: string
  email: string
  street: string
  happened_on: DateText
  what: string
  amount: Decimal
  bill: { digest: string; size: number; type: string; name: string } | null
}

export interface Case {
  id: string
  state: "Open" | "Inspected" | "Ordered" | "Repaired" | "Late" | "Closed" | "Rejected"
  number: string | null
  category: string
  street: string
  place: string
  opened_on: DateText
  inspector: string | null
  reason: string | null
}

export interface Inspection {
  id: string
  number: string | null
  case: string
  inspector: string
  planned_at: Moment
  minutes: number | null
  found: string | null
}

export interface WorkOrder {
  id: string
  state: "Placed" | "Started" | "Done" | "Withdrawn"
  number: string | null
  case: string
  company: string
  lines: WorkLine[]
  hours: Decimal | null
  rate: Decimal | null
  done_on: DateText | null
}

export interface WorkLine {
  id: string
  material: string
  quantity: Decimal
  price: Decimal | null
}

export interface CaseSeen {
  id: string
  state?: Case['state']
  number?: string | null
  category?: string
  street?: string
  place?: string
  opened_on?: DateText
  due_on?: DateText | null
  inspector?: string | null
  reports?: number | null
  cost?: Decimal | null
  reason?: string | null
}

/** The blocks of the document. */
export interface Blocks {
  DueSoon: (props: ScreenProps<CaseSeen>) => JSX.Element | null
  Deadline: (props: BlockProps<CaseSeen>) => JSX.Element | null
}

/** The functions of the document. */
export interface Functions {
  /** Line 399. */
  is_vat_number: (number: string) => boolean | null
}

