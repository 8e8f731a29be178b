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
import { isNoMember, isPassing, isSignedOut, messageOf } from './errors.ts'

const FRESH_MS = 10_000
const RETRIES = 3

/** Only what may pass by itself is asked again. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) => isPassing(error) && failures < RETRIES,
      },
    },
  })
}

/** A session or membership that ended is noticed by the next question; after signing in again one is back where one was. */
function leaveWhenSignedOut(error: Error): void {
  if (isNoMember(error)) return location.reload()
  if (!isSignedOut(error)) return
  const to = `${location.pathname}${location.search}`
  location.assign(`/sign-in?${new URLSearchParams({ to }).toString()}`)
}

/** What a screen reads: `useQuery(q(AssetDocument, { id }))`. */
export function q<Data, Variables>(operation: Operation<Data, Variables>, variables: Variables) {
  return queryOptions({
    queryKey: [operation.name, variables] as const,
    queryFn: ({ signal }) => send(operation, variables, signal),
  })
}

interface Change<Data> {
  /** What is told when it is done. */
  readonly done?: string | ((data: Data) => string)
  readonly onDone?: (data: Data) => void
  /** The screen shows the refusal itself, beside the field. */
  readonly isQuiet?: boolean
}

/** What a screen writes. Afterwards everything shown is asked anew, so no screen knows which others it changed. */
export function useChange<Data, Variables>(
  operation: Operation<Data, Variables>,
  { done, onDone, isQuiet = false }: Change<Data> = {},
): UseMutationResult<Data, Error, Variables> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (variables: Variables) => send(operation, variables),
    onSuccess: (data) => {
      void client.invalidateQueries()
      if (done) toastDone(typeof done === 'string' ? done : done(data))
      onDone?.(data)
    },
    onError: (error) => {
      if (!isQuiet) toastFailed(messageOf(error))
    },
  })
}
