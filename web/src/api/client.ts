import { ApiError } from './errors.ts'
import { inTenant } from './tenant-url.ts'

/** One operation of the schema, as the generator writes it. The types are of its answer and its variables. */
export interface Operation<Data, Variables> {
  readonly name: string
  readonly text: string
  /** Never there: carries the types. */
  readonly types?: (variables: Variables) => Data
}

interface Answer<Data> {
  readonly data?: Data | null
  readonly errors?: readonly {
    readonly message: string
    readonly extensions?: { readonly code?: string; readonly field?: string; readonly mergedInto?: string }
  }[]
}

/** Executes one GraphQL operation. Throws an ApiError for every failure, of the network too. */
export async function send<Data, Variables>(
  { name, text }: Operation<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Data> {
  const body = JSON.stringify({ operationName: name, query: text, variables })
  const answer = (await call('POST', '/graphql', { body, signal })) as Answer<Data>
  const error = answer.errors?.[0]
  if (error)
    throw new ApiError(error.extensions?.code ?? 'internal_error', error.message, error.extensions ?? {})
  if (!answer.data) throw new ApiError('internal_error', 'The server answered without data')
  return answer.data
}

/** Whether the server answers at all; it does so without its database. */
export const isReachable = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Whether the server's page begins with another script than the one that runs here. False when it cannot be asked. */
export async function isUpgraded(): Promise<boolean> {
  const running = document.querySelector('script[type=module][src]')?.getAttribute('src')
  const page = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } }).then(
    (response) => (response.ok ? response.text() : undefined),
    () => undefined,
  )
  return page !== undefined && !page.includes(`src="${running}"`)
}

interface Call {
  readonly body?: BodyInit | undefined
  readonly type?: string
  readonly signal?: AbortSignal | undefined
}

/**
 * One request to our own server; the header is the CSRF protection, which no other site's form can send. `path` has no tenant:
 * everything but what concerns the session itself is asked in that of this page's address.
 */
export async function call(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  request: Call = {},
): Promise<unknown> {
  const { body, type = 'application/json', signal } = request
  const response = await fetch(path.startsWith('/session') ? path : inTenant(path), {
    method,
    headers: { 'x-rollcall': '1', ...(body !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  }).catch(unreachable)
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok) return answer
  const { error, message, field } = (answer ?? {}) as { error?: string; message?: string; field?: string }
  throw new ApiError(error ?? 'internal_error', message ?? `The server answered ${response.status}`, {
    field,
  })
}

function unreachable(error: unknown): never {
  if (error instanceof DOMException && error.name === 'AbortError') throw error
  throw new ApiError('unreachable', 'The server cannot be reached. Check your connection and try again')
}
