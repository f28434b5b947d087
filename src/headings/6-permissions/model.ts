/** Heading 6: roles and permissions. Deny by default: what no cell allows is refused, and says so. */
import type { Cell } from '../../document/source.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Specified } from '../specified.ts'

export interface Role {
  /** `Desk clerk` as written; names are unique, and are what rows of `ninefold.appointment` hold. */
  readonly name: string
  readonly key: string
  readonly cell: Cell
  readonly who: Specified<RoleWho>
  /** Roles that nobody may hold beside this one, whichever of the two says so; the cell is one that does. Null: none. */
  readonly neverWith: NamedRoles | null
  readonly meaning: Cell | null
}

export type RoleWho = {
  readonly cell: Cell
} /** `except`: roles whose holders do not have this one; who is not signed in holds none. */ & (
  | { readonly kind: 'everyone' | 'everyone signed in'; readonly except: readonly string[] }
  /** Whoever it holds for: a condition over `me` and `my`. Unknown is no. */
  | { readonly kind: 'when'; readonly when: Expression }
  /** Given to people, in the application, by holders of these roles. */
  | { readonly kind: 'appointed'; readonly by: readonly string[] }
  /** Whoever opens the link of a record of this entity, without an account: of that record alone. */
  | { readonly kind: 'link'; readonly entity: string }
  | SharedWho
)

/** Given by holders of these roles, of one record of this entity at a time, to people or to those whom other records name. */
export interface SharedWho {
  readonly kind: 'shared'
  readonly entity: string
  readonly by: readonly string[]
  readonly with: readonly SharedWith[]
  /** A share lasts for so many days, the first one included, at the longest; null: also without an end. */
  readonly days: number | null
}

/** `Person`, or `Team.members`: those whom a field of a record names (`field`; of `Person`, null). */
export interface SharedWith {
  readonly entity: string
  readonly field: string | null
}

export type Grant = { readonly cell: Cell } & (
  | {
      readonly kind: 'yes'
      /** Of Import: the rows of a file all together, or none of them. */
      readonly whole?: true
    }
  | { readonly kind: 'no' }
  | { readonly kind: 'when'; readonly expression: Expression }
)

/** One role's row in an entity's matrix. An absent or empty cell is `no`. */
export interface Permission {
  readonly role: string
  readonly cell: Cell
  readonly see: Specified<Grant>
  readonly create: Specified<Grant>
  readonly change: Specified<Grant>
  /** What a change of theirs may lead to beside what Change holds of. */
  readonly changeTo: Specified<Grant>
  readonly delete: Specified<Grant>
  /** Step keys; `all` for every step (its own Who and When still decide). */
  readonly do: Specified<{ readonly cell: Cell; readonly steps: readonly string[] | 'all' }>
  /** Of what is seen, what may be taken out as a file. */
  readonly export: Specified<Grant>
  /** Never a condition: what a row of a file may do, Create and Change decide. */
  readonly import: Specified<Grant>
  /** Records beyond See that may be read, one at a time and for a while, by whoever says why. */
  readonly emergency: Specified<Grant>
}

/**
 * A row `never`, or `never Trainee`: where a cell holds, nobody may, or nobody who has one of these roles, whatever other roles they have.
 * `yes` closes it on every record, `no` on none; where it is unknown, it is closed.
 */
export interface Never {
  readonly cell: Cell
  /** Whom it is about, by their roles; none: everybody. */
  readonly roles: readonly string[]
  readonly see: Specified<Grant>
  readonly create: Specified<Grant>
  readonly change: Specified<Grant>
  /** What no change may lead to; null: what Change closes. */
  readonly changeTo: Specified<Grant> | null
  readonly delete: Specified<Grant>
  /** Steps, whichever. */
  readonly do: Specified<Grant>
  /** Single steps, as in `pay, release when legal_hold`. */
  readonly steps: readonly StepBan[]
  readonly export: Specified<Grant>
  /** Never a condition. */
  readonly import: Specified<Grant>
  readonly emergency: Specified<Grant>
}

/** Steps (keys) that are closed, and where. */
export interface StepBan {
  readonly cell: Cell
  readonly steps: readonly string[]
  readonly when: Specified<Grant>
}

/** A row of a field, one for each `When`: roles that may see and change it *on rows that their role may see / change*. Null: as the row. */
export interface FieldPermission {
  readonly field: string
  readonly cell: Cell
  readonly see: Specified<{ readonly cell: Cell; readonly roles: readonly string[] }>
  readonly change: Specified<{ readonly cell: Cell; readonly roles: readonly string[] }> | null
  /** Holds of the records on which these roles may do so; null: of all. */
  readonly when: Specified<Expression> | null
}

/** Roles that a bullet names: `- **Second factor:** Manager`. None: nobody. */
export interface NamedRoles {
  readonly cell: Cell
  readonly roles: readonly string[]
}

export interface Access {
  readonly entity: string
  /** The subject's heading; for an entity that the section does not mention, the entity's own cell. */
  readonly cell: Cell
  readonly rows: readonly Permission[]
  /** In the document's order. */
  readonly nevers: readonly Never[]
  readonly fields: readonly FieldPermission[]
  /**
   * Set where section 6 says nothing of this entity: child rows follow their parent (`parent`); what the document leaves open
   * and something else needs is served under a named assumption (`assumed`): see `App.assumptions`.
   */
  readonly basis: 'written' | 'parent' | 'assumed'
}
