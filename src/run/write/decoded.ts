/** What forms, the API and messages were read as, as writes take it. */
import type { App } from '../../headings/app.ts'
import type { Decoded } from '../../kinds/fields/input.ts'
import type { Input, Problem } from '../outcome.ts'
import { raiseInvalidValue } from '../problems/raise.ts'

export const inputOf = (app: App, { values, children, invalidValues }: Decoded): Input => ({
  values,
  children,
  invalidValues: invalidValues.map(({ path, code, detail }): Problem => {
    const label = detail.label === undefined ? path : String(detail.label)
    return raiseInvalidValue(app, { code, detail }, label, { field: path === '' ? null : path, because: null })
  }),
})
