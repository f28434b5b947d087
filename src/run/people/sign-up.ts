/** People who sign up by themselves, as far as heading 1 lets them: by a form whose mail they have followed, or by their first single sign-on. */

import { sql } from '../../expression/sql.ts'
import type { SignUp } from '../../headings/1-product/model.ts'
import type { App } from '../../headings/app.ts'
import { specified } from '../../headings/specified.ts'
import type { Input, Outcome } from '../outcome.ts'
import type { Request, Runtime } from '../request.ts'
import { accompanied, alsoDone } from '../write/accompanied.ts'
import { create } from '../write/writes.ts'
import { appointTo } from './appointments.ts'

/** Null: nobody may. Roles that are left open keep it shut. */
export const signUpOf = ({ product, signUpAs }: App): SignUp | null =>
  specified(signUpAs) === null ? null : product.signUp

/** Whether somebody with this address may. */
export function admits(app: App, email: string): boolean {
  const open = signUpOf(app)
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return open !== null && (open.domains?.includes(domain) ?? true)
}

/** Somebody new, of whom the document says that they may come, whatever section 6 says of visitors. */
export const comingIn = (request: Request): Request => ({
  ...request,
  actor: { ...request.actor, system: 'seed' },
})

/**
 * Makes the person with the roles that the document gives them and, where they chose one, their password (a PHC string): all of it, or
 * nothing. That they may come, the caller has asked.
 */
export function signUp(
  { app, store }: Runtime,
  request: Request,
  input: Input,
  password: string | null,
): Promise<Outcome> {
  const withAccount = alsoDone(async (tx, person) => {
    const because = app.product.signUp!.cell
    for (const role of specified(app.signUpAs)?.roles ?? [])
      await appointTo(tx, app, request, { person, role: app.roles.get(role)!, because })
    if (password !== null)
      await tx.write(sql`
        insert into ninefold.account (person, password, changed_at) values (${person}::uuid, ${password}, ${request.now})`)
  })
  return create(accompanied({ app, store }, withAccount), comingIn(request), 'person', input)
}
