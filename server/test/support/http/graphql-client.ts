import type { FastifyRequest } from 'fastify'
import type { ContextOf } from '../../../src/startup/http-server.ts'
import type { Runtime } from '../../../src/startup/runtime.ts'
import type { Ctx } from '../../../src/platform/context.ts'
import { unauthorized } from '../../../src/platform/errors.ts'
import type { Answer, Caller, Sent } from './api-client.ts'

export interface Fault {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions: { readonly code: string; readonly field?: string }
}

export interface Result<T> {
  readonly data?: T | null
  readonly errors?: readonly Fault[]
}

/** Asks the GraphQL endpoint as the app's own pages do. */
export type Ask = <T = Record<string, unknown>>(
  query: string,
  variables?: Readonly<Record<string, unknown>>,
) => Promise<Result<T>>

const COOKIE = 'test_person'

/** An address of the app. The believed cookie says the tenant, so the name in the address is any. */
export const inTenant = (path: string): string => `/t/believed${path}`

/** Believes a cookie that names the tenant and the permissions: for tests that are not about signing in. */
export const believed =
  (runtime: Runtime): ContextOf =>
  async ({ headers }: FastifyRequest) => {
    const [, text] = new RegExp(`${COOKIE}=([^;]+)`).exec(headers.cookie ?? '') ?? []
    if (text === undefined) throw unauthorized('sign in first')
    const { tenantId, permissions, limitedTo } = JSON.parse(decodeURIComponent(text)) as Believed
    const may = (permission: string) => permissions === 'all' || permissions.includes(permission)
    return runtime.contextFor(tenantId, {
      kind: 'user',
      id: PERSON,
      may,
      ...(limitedTo !== undefined && { limitedTo }),
    })
  }

interface Believed {
  readonly tenantId: string
  readonly permissions: 'all' | readonly string[]
  /** A condition on assets. */
  readonly limitedTo?: string | undefined
}

export const PERSON = '00000000-0000-4000-8000-000000000001'

/** The headers of a person of the tenant, on the app's own pages. */
export function headersOf(
  { tenantId }: Ctx,
  permissions: Believed['permissions'] = 'all',
  limitedTo?: string,
): Record<string, string> {
  const cookie = `${COOKIE}=${encodeURIComponent(JSON.stringify({ tenantId, permissions, limitedTo }))}`
  return { cookie, 'x-rollcall': '1', 'content-type': 'application/json' }
}

export function asker(caller: Caller, headers: Record<string, string>): Ask {
  return async <T>(query: string, variables?: Readonly<Record<string, unknown>>) => {
    const sent: Sent = { body: JSON.stringify({ query, variables }), headers }
    const answer: Answer<Result<T>> = await caller.send('POST', inTenant('/graphql'), sent)
    return answer.body
  }
}

/** Answers what the one field of an operation holds. */
export type AskField = <T = Record<string, unknown>>(
  operation: string,
  variables?: Readonly<Record<string, unknown>>,
) => Promise<T>

/** Throws the refusal as `code field: message`. */
export function fieldAsker(ask: Ask): AskField {
  return async <T>(operation: string, variables?: Readonly<Record<string, unknown>>) => {
    const { data, errors = [] } = await ask(operation, variables)
    const [fault] = errors
    if (fault) throw new Error(`${fault.extensions.code} ${fault.extensions.field ?? ''}: ${fault.message}`)
    return Object.values(data ?? {})[0] as T
  }
}
