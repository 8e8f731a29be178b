import { notifyManager, useQueryClient, type Query } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'

const FIRST_TIME = { predicate: ({ state }: Query) => state.data === undefined }

/**
 * Renders its children once no query of the screen loads for the first time, to avoid layout shift by panels above
 * them. Queries of the children should be prefetched.
 */
export function AfterLoading({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient()
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const isLoading = () => client.isFetching(FIRST_TIME) > 0
    const finish = () => {
      if (!isLoading()) setReady(true)
    }
    // an answer can be in the cache already while its panel is notified only by the next scheduled task
    const check = () => {
      if (!isLoading()) notifyManager.schedule(finish)
    }
    // if nothing is loading no event follows; the panels above start loading in effects of the same commit
    const timer = setTimeout(check)
    // scheduled after the panels' own updates, so that React renders them and the children in one commit
    const unsubscribe = client.getQueryCache().subscribe(() => notifyManager.schedule(check))
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [client])
  return isReady ? children : <div role="status" aria-label="Loading" />
}
