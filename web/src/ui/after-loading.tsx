import { notifyManager, useQueryClient, type Query } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'

const FIRST_TIME = { predicate: ({ state }: Query) => state.data === undefined }

/**
 * Renders its children once no query of the screen loads for the first time, so that panels which arrive above them
 * move nothing (cumulative layout shift). Children that load something themselves should be prefetched.
 */
export function AfterLoading({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient()
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const check = () => {
      if (client.isFetching(FIRST_TIME) === 0) setReady(true)
    }
    // with nothing to load no event follows; the panels above begin to load in effects of this same commit
    const timer = setTimeout(check)
    // scheduled behind the panels' own updates, so that React renders them and the children at once
    const unsubscribe = client.getQueryCache().subscribe(() => notifyManager.schedule(check))
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [client])
  return isReady ? children : <div role="status" aria-label="Loading" />
}
