import { sql } from 'kysely'
import { listRoles } from '../../../src/features/tenancy/roles/roles.ts'
import { setSignOn } from '../../../src/features/tenancy/single-sign-on/oidc-settings.ts'
import type { Ctx } from '../../../src/platform/context.ts'
import { browserAt, type Browser } from '../http/browser-session.ts'
import { testApp, type TestApp } from '../app/test-app.ts'
import { CLIENT, identityProvider, type IdentityProvider, type People } from './identity-provider.ts'

export const ALICE = { email: 'alice@corp.example', email_verified: true, name: 'Alice' }

export interface SsoSetup {
  readonly it: TestApp
  readonly ctx: Ctx
  readonly slug: string
  readonly provider: IdentityProvider
}

export async function ssoSetup(people: People = { alice: ALICE }, shared?: TestApp): Promise<SsoSetup> {
  const it = shared ?? (await testApp())
  const ctx = await it.newTenant()
  const provider = await identityProvider(`${await it.address()}/session/sign-on/callback`, people)
  await connect(ctx, provider.issuer)
  const { slug } = await ctx.db.one(sql<{ slug: string }>`select slug from tenants`)
  return { it, ctx, slug, provider }
}

export const roleId = async (ctx: Ctx, name: string) =>
  (await listRoles(ctx)).find((it) => it.name === name)?.id ?? ''

export async function connect(ctx: Ctx, issuer: string) {
  return setSignOn(ctx, { ...CLIENT, issuer, roleId: await roleId(ctx, 'Viewer'), domains: ['Corp.example'] })
}

/** Leaves for the provider. */
export async function startSignOn({ slug }: SsoSetup, browser: Browser, returnTo = '/assets') {
  const { body } = await browser.send<{ location: string }>('POST', '/session/sign-on', {
    organisation: slug,
    returnTo,
  })
  return body.location
}

/** Comes back with what the provider said; answers where it leads. */
export const finishSignOn = async (browser: Browser, url: string) =>
  (await browser.sendRaw('GET', url.slice(new URL(url).origin.length), { headers: {} })).headers['location']

export async function signOn(where: SsoSetup, login = 'alice', browser = browserAt(where.it)) {
  const location = await finishSignOn(
    browser,
    await where.provider.visit(await startSignOn(where, browser), login),
  )
  return { browser, location }
}

interface Look {
  state: string
  user: { id: string; email: string; isManaged: boolean; isSignedOn: boolean }
  tenant: { id: string } | null
  tenants: { id: string }[]
  role: { name: string } | null
}
export const sessionState = async (browser: Browser) => (await browser.send<Look>('GET', '/session')).body
