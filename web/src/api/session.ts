import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

export interface Tenant {
  readonly id: string
  readonly name: string
}

/** Who is at this browser, and where. */
export interface Session {
  readonly user: {
    readonly id: string
    readonly email: string
    readonly name: string
    readonly hasSecondFactor: boolean
    readonly recoveryCodesLeft: number
    /** Through the organisation's identity provider, which takes care of password and second factor. */
    readonly isSignedOn: boolean
  }
  readonly tenant: Tenant
  readonly tenants: readonly Tenant[]
  readonly permissions: readonly string[]
}

/** `second_factor`: the password was right, the code is still to come. */
type State = 'signed_out' | 'second_factor' | 'signed_in'

/** Null: nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    const answer = (await call('GET', '/session')) as Session & { readonly state: State }
    return answer.state === 'signed_in' ? { ...answer, permissions: withReading(answer.permissions) } : null
  },
  staleTime: Number.POSITIVE_INFINITY,
})

export async function signIn(email: string, password: string): Promise<State> {
  const answer = await post('/session', { email, password })
  return (answer as { readonly state: State }).state
}

/** The code of the authenticator app, or a recovery code. */
export const sendCode = (code: string): Promise<unknown> => post('/session/second-factor', { code })

export const signOut = (): Promise<unknown> => call('DELETE', '/session')

export const signOutEverywhere = (): Promise<unknown> => call('DELETE', '/session/all')

export const switchTenant = (tenantId: string): Promise<unknown> => post('/session/tenant', { tenantId })

/** Who may change a thing may look at it. */
const withReading = (permissions: readonly string[]): readonly string[] => [
  ...new Set(permissions.flatMap((it) => [it, it.replace(/:write$/, ':read')])),
]

const post = (path: string, body: object): Promise<unknown> =>
  call('POST', path, { body: JSON.stringify(body) })
