import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { type Formats } from '#lib/formats.ts'
import { call } from './client.ts'
import { inTenant, isTenantless, tenantSlugOf } from './tenant-url.ts'

export interface Tenant {
  readonly id: string
  /** The organisation's name in URLs; it never changes. */
  readonly slug: string
  readonly name: string
  /** Of invented data, to look around in. */
  readonly isDemo: boolean
}

/** How the person reads the app. Null: as their browser says, and dates and numbers as the language has them. */
export interface Preferences extends Formats {
  readonly language: 'en' | 'de' | null
}

/** The signed-in person and their organisation. */
export interface Session {
  readonly user: {
    readonly id: string
    readonly email: string
    readonly name: string
    readonly hasSecondFactor: boolean
    readonly recoveryCodesLeft: number
    /** Signed in by single sign-on, so password and second factor are managed by the identity provider. */
    readonly isSignedOn: boolean
    /** Organisations of their own. */
    readonly mayCreateTenants: boolean
    readonly preferences: Preferences
  }
  /** The organisation in this page's URL, else the one used last; null when the person is not a member of it. */
  readonly tenant: Tenant | null
  readonly tenants: readonly Tenant[]
  readonly permissions: readonly string[]
  /** The condition of the person's role: only assets for which it is true are there. Null: all. */
  readonly limitedTo: string | null
}

/** `second_factor`: the password was right, the code is still required. */
type State = 'signed_out' | 'second_factor' | 'signed_in'

/** Single sign-on as offered to anonymous visitors; `organisation` only if exactly one offers it. */
export interface OfferedSignOn {
  readonly organisation: string | null
}

/** Null: no organisation offers single sign-on. */
export const offeredSignOnQuery = queryOptions({
  queryKey: ['session', 'sign-on'],
  queryFn: async (): Promise<OfferedSignOn | null> => {
    const answer = (await call('GET', '/session')) as { readonly signOn?: OfferedSignOn | null }
    return answer.signOn ?? null
  },
})

/** Null: not signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    const answer = (await call('GET', `/session${tenantQuery(location.pathname)}`)) as Answer
    return sessionIn(answer)
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** Key in session storage, where the sign-in page stores the session for the next page, which saves a request. */
const HANDED_OVER = 'rollcall-session'

/** Storage may be unavailable: then the next page requests the session. */
function handOverSession(session: Session | null): void {
  try {
    if (session?.tenant) sessionStorage.setItem(HANDED_OVER, JSON.stringify(session))
  } catch {
    // a browser may forbid storage
  }
}

/** Reads and deletes the stored session; ignored if it is of another organisation than the page. */
export function takeHandedOverSession(client: QueryClient): void {
  try {
    const stored = sessionStorage.getItem(HANDED_OVER)
    sessionStorage.removeItem(HANDED_OVER)
    const session = stored === null ? null : (JSON.parse(stored) as Session)
    const slug = tenantSlugOf(location.pathname)
    if (session && (slug === undefined || slug === session.tenant?.slug))
      client.setQueryData(sessionQuery.queryKey, session)
  } catch {
    // a browser may forbid storage
  }
}

/** Adds the organisation used last to a URL without one, before anything is rendered. */
export async function addTenantToUrl(client: QueryClient): Promise<void> {
  const { pathname, search, hash } = location
  if (isTenantless(pathname) || tenantSlugOf(pathname) !== undefined) return
  // a request that fails here is repeated by the router, which shows the error
  const session = await client.fetchQuery(sessionQuery).catch(() => null)
  if (session?.tenant) history.replaceState(null, '', inTenant(pathname, session.tenant.slug) + search + hash)
}

/** `returnTo` is the URL of the next page, for which the session is stored. */
export async function signIn(email: string, password: string, returnTo: string): Promise<State> {
  const answer = (await post(`/session${tenantQuery(returnTo)}`, { email, password })) as Answer
  handOverSession(sessionIn(answer))
  return answer.state
}

/** Returns the URL of the organisation's identity provider to go to. */
export async function beginSignOn(organisation: string, returnTo: string): Promise<string> {
  const answer = await post('/session/sign-on', { organisation, returnTo })
  return (answer as { readonly location: string }).location
}

/** `token` comes from the link of the operator. Ends all sessions of the person. */
export const resetPassword = (token: string, password: string): Promise<unknown> =>
  post('/session/password-reset', { token, password })

/** The code of the authenticator app, or a recovery code. `returnTo` as for `signIn`. */
export async function sendCode(code: string, returnTo: string): Promise<void> {
  const answer = (await post(`/session/second-factor${tenantQuery(returnTo)}`, { code })) as Answer
  handOverSession(sessionIn(answer))
}

export const signOut = (): Promise<unknown> => call('DELETE', '/session')

export const signOutEverywhere = (): Promise<unknown> => call('DELETE', '/session/all')

type Answer = Session & { readonly state: State }

const sessionIn = (answer: Answer): Session | null =>
  answer.state === 'signed_in' ? { ...answer, permissions: withImpliedRead(answer.permissions) } : null

function tenantQuery(address: string): string {
  const slug = tenantSlugOf(address)
  return slug === undefined ? '' : `?${new URLSearchParams({ tenant: slug }).toString()}`
}

/** A write permission includes the read permission. */
const withImpliedRead = (permissions: readonly string[]): readonly string[] => [
  ...new Set(permissions.flatMap((it) => [it, it.replace(/:write$/, ':read')])),
]

const post = (path: string, body: object): Promise<unknown> =>
  call('POST', path, { body: JSON.stringify(body) })
