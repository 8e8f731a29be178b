import { useInterval } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

const REFRESH_MS = 2_000

/** Asks an operation anew again and again, as long as something that it shows is under way. */
export function useRefreshWhile(isUnderWay: boolean, operation: { readonly name: string }): void {
  const client = useQueryClient()
  const { start, stop } = useInterval(
    () => void client.invalidateQueries({ queryKey: [operation.name] }),
    REFRESH_MS,
  )
  useEffect(() => {
    if (isUnderWay) start()
    return stop
  }, [isUnderWay, start, stop])
}
