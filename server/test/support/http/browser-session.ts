import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { createUser } from '../../../src/features/tenancy/tenancy.ts'
import type { Ctx } from '../../../src/platform/context.ts'
import type { Answer, Sent } from './api-client.ts'
import type { TestApp } from '../app/test-app.ts'

/** A browser with its cookies, on the app's own pages. */
export interface Browser {
  readonly cookies: Map<string, string>
  readonly send: <T = Record<string, never>>(
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<Answer<T>>
  /** Sends exactly this, cookies apart. */
  readonly sendRaw: <T = Record<string, never>>(
    method: string,
    path: string,
    what: Sent,
  ) => Promise<Answer<T>>
}

export const PASSWORD = 'correct horse battery'

export function browserAt({ as }: TestApp): Browser {
  const cookies = new Map<string, string>()
  const sendRaw = async <T>(method: string, path: string, { headers, ...what }: Sent) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await as().send<T>(method, path, {
      ...what,
      headers: { ...(cookie && { cookie }), ...headers },
    })
    for (const text of [answer.headers['set-cookie'] ?? []].flat()) keep(cookies, text)
    return answer
  }
  return {
    cookies,
    sendRaw,
    send: (method, path, body) =>
      sendRaw(method, path, {
        headers: { 'x-rollcall': '1', ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
  }
}

/** A person of the tenant with a password, an administrator unless told otherwise. */
export async function newPerson(
  { runtime }: TestApp,
  { tenantId }: Ctx,
  { isAdmin = true }: { readonly isAdmin?: boolean } = {},
): Promise<{ readonly id: string; readonly email: string }> {
  const email = `p-${randomBytes(6).toString('hex')}@example.org`
  return createUser({ ...runtime.system, tenantId }, { email, password: PASSWORD, isAdmin })
}

/** An address of the app in the tenant, as its screens and requests have it. */
export const addressIn = async (ctx: Ctx, path: string): Promise<string> => `/t/${await slugOf(ctx)}${path}`

export async function slugOf({ db, tenantId }: Ctx): Promise<string> {
  const { slug } = await db.one(sql<{ slug: string }>`select slug from tenants where id = ${tenantId}`)
  return slug
}

/** Signed in. */
export async function browserOf(app: TestApp, { email }: { readonly email: string }): Promise<Browser> {
  const browser = browserAt(app)
  const { status } = await browser.send('POST', '/session', { email, password: PASSWORD })
  if (status !== 200) throw new Error(`could not sign in: ${status}`)
  return browser
}

function keep(cookies: Map<string, string>, text: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
  if (value === '') cookies.delete(name)
  else cookies.set(name, value)
}
