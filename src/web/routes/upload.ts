/** A file that is sent as soon as it is chosen: what is left of it in the form is a text that names it. */
import { heldFile } from '../../kinds/fields/file/held.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, json } from '../response.ts'

/** The control whose file is sent ahead of its form. */
const uploadName = '_upload'

/** Null: the form was sent for something else. The file has been looked at and kept, or refused, on its way in (`uploads.ts`). */
export function uploaded({ refused, site }: RequestContext, form: URLSearchParams): HttpResponse | null {
  const name = form.get(uploadName)
  if (name === null) return null
  const value = form.get(name)
  const held = heldFile(value)
  if (held !== null) return json({ value, name: held.name, size: site.reader.format.bytes(held.size) })
  const [problem] = refused
  return json({ message: [problem?.message, problem?.whatToDo].filter(text => text != null).join(' ') }, 422)
}
