import { record } from '#features/audit/audit.ts'
import type { Ctx } from '#platform/context.ts'
import { unauthorized } from '#platform/errors.ts'
import * as store from './account-store.ts'
import { asPerson, type Account } from './accounts.ts'
import { emailKey, guess } from './guesses.ts'
import { isPasswordOf } from './passwords.ts'
import { isSecondFactor } from './second-factor.ts'
import { end } from './session-store.ts'
import { endSession, findSession, openSession, type From } from './sessions.ts'

/** `awaitsCode`: the password was right, and `passSecondFactor` is next. */
export interface Opened {
  readonly token: string
  readonly awaitsCode: boolean
}

/** The same whether the address has no account or the password is wrong; it takes the same time, too. */
const WRONG = 'the e-mail address or the password is wrong'
const WRONG_CODE = 'the code is wrong or was used before'

/** What the browser held before is ended, and nothing of it lives on. */
export async function signIn(
  system: Ctx,
  { email, password, before }: { email: string; password: string; before?: string | undefined },
  from: From,
): Promise<Opened> {
  const account = await guess(system, { account: emailKey(email), address: from.address }, async () => {
    const found = await store.byEmail(system, email.trim())
    return (await isPasswordOf(found, password)) ? found : undefined
  })
  if (!account) throw unauthorized(WRONG)
  await endSession(system, before)
  if (!account.hasSecondFactor) return { token: await letIn(system, account, from), awaitsCode: false }
  const wanted = { userId: account.id, tenantId: null, boundTo: null, awaitsCode: true }
  return { token: await openSession(system, wanted, from), awaitsCode: true }
}

/** `code` is of the authenticator app, or a recovery code, which is used up. */
export async function passSecondFactor(
  system: Ctx,
  { token, code }: { token: string | undefined; code: string },
  from: From,
): Promise<Opened> {
  const session = await findSession(system, token)
  if (!session?.awaitsCode) throw unauthorized('sign in first')
  const account = await guess(
    system,
    { account: `code ${session.userId}`, address: from.address },
    async () => {
      const found = await store.byId(system, session.userId)
      return (await isSecondFactor(system, found, code)) ? found : undefined
    },
  )
  if (!account) throw unauthorized(WRONG_CODE)
  await end(system, session.id)
  return { token: await letIn(system, account, from), awaitsCode: false }
}

async function letIn(system: Ctx, account: Account, from: From): Promise<string> {
  const [workplace] = await store.workplaces(system, account.id)
  const tenantId = workplace?.id ?? null
  await store.noteSignIn(system, account.id)
  if (workplace) {
    const ctx = { ...asPerson(system, account, from.address), tenantId: workplace.id }
    await record(ctx, 'user.signed_in', { type: 'user', id: account.id }, { email: account.email })
  }
  return openSession(system, { userId: account.id, tenantId, boundTo: null, awaitsCode: false }, from)
}
