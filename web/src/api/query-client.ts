import {
  QueryCache,
  QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
  type UseMutationResult,
} from '@tanstack/react-query'
import { toastDone, toastFailed } from '#ui/toast.ts'
import { send, type Operation } from './client.ts'
import { ApiError, isNoMember, isTemporary, isSignedOut, messageOf } from './errors.ts'

const FRESH_MS = 10_000
const RETRIES = 3

/** Retries only temporary failures. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) => isTemporary(error) && failures < RETRIES,
      },
    },
  })
}

/** Redirects to the sign-in page, with this address as return URL, when the session or membership has ended. */
function leaveWhenSignedOut(error: Error): void {
  if (isNoMember(error)) return location.reload()
  if (!isSignedOut(error)) return
  const to = `${location.pathname}${location.search}`
  location.assign(`/sign-in?${new URLSearchParams({ to }).toString()}`)
}

/** Query options of an operation: `useQuery(q(AssetDocument, { id }))`. */
export function q<Data, Variables>(operation: Operation<Data, Variables>, variables: Variables) {
  return queryOptions({
    queryKey: [operation.name, variables] as const,
    queryFn: ({ signal }) => send(operation, variables, signal),
  })
}

/** The same in another tenant that the person belongs to. The server answers as the role there allows. */
export function qIn<Data, Variables>(
  tenant: string,
  operation: Operation<Data, Variables>,
  variables: Variables,
) {
  return queryOptions({
    queryKey: [operation.name, variables, tenant] as const,
    queryFn: ({ signal }) => send(operation, variables, signal, tenant).catch(withoutMembership),
  })
}

/** That a membership elsewhere has ended is no reason to leave this page. */
function withoutMembership(error: Error): never {
  throw isNoMember(error) ? new ApiError('forbidden', error.message) : error
}

interface Change<Data, Variables> {
  /** Text of the notification on success. */
  readonly done?: string | ((data: Data) => string)
  readonly onDone?: (data: Data) => void
  /** The notification offers it: what makes the change as if it had not been. */
  readonly undo?: (data: Data, variables: Variables) => Promise<unknown>
  /** No notification on failure, because the form shows the error at the field. */
  readonly isQuiet?: boolean
}

/** A mutation. On success all queries are invalidated, so screens need not know which queries a change affects. */
export function useChange<Data, Variables>(
  operation: Operation<Data, Variables>,
  { done, onDone, undo, isQuiet = false }: Change<Data, Variables> = {},
): UseMutationResult<Data, Error, Variables> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (variables: Variables) => send(operation, variables),
    onSuccess: (data, variables) => {
      void client.invalidateQueries()
      const takeBack = undo && (() => void takenBack(client, () => undo(data, variables)))
      if (done) toastDone(typeof done === 'string' ? done : done(data), takeBack)
      onDone?.(data)
    },
    onError: (error) => {
      if (!isQuiet) toastFailed(messageOf(error))
    },
  })
}

/** Tells that it was undone, or why it could not be. The frame shows it on its way as it does other changes. */
async function takenBack(client: QueryClient, mutationFn: () => Promise<unknown>): Promise<void> {
  try {
    await client.getMutationCache().build(client, { mutationFn }).execute(undefined)
    toastDone('Undone')
  } catch (error) {
    toastFailed(messageOf(error))
  }
  await client.invalidateQueries()
}
