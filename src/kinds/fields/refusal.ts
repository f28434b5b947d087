/** A refusal of a text or JSON by the type of its field: its HTTP status, and in each language what it says and what to do. `{label}` is the field's; the other holes are filled by the kind. */
interface Refusal {
  readonly status: number
  readonly en: Words
  readonly de: Words
}

interface Words {
  readonly message: string
  readonly whatToDo: string
}

/** By code. */
export type Refusals = Readonly<Record<string, Refusal>>
