import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { sessionQuery } from '#api/session.ts'

/** Refreshes the session data after a change of the account or the organisation. */
export function useRefreshSession(): () => Promise<void> {
  const client = useQueryClient()
  const router = useRouter()
  return async () => {
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
    await router.invalidate()
  }
}
