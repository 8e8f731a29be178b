import { useEffect, useState } from 'react'
import { ago, day, exactly } from '#lib/dates.ts'

const TICK_MS = 30_000

/** Relative time, updated while it is rendered; the exact instant on hover. */
export function Time({ at, none = 'never' }: { readonly at: string | null; readonly none?: string }) {
  useTick()
  if (at === null) return <span className="quiet">{none}</span>
  return (
    <time dateTime={at} title={exactly(at)}>
      {ago(at)}
    </time>
  )
}

/** The date, for planned events. */
export function Day({ at, none = 'never' }: { readonly at: string | null; readonly none?: string }) {
  if (at === null) return <span className="quiet">{none}</span>
  return (
    <time dateTime={at} title={exactly(at)}>
      {day(at)}
    </time>
  )
}

function useTick(): void {
  const [, setTick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTick((n) => n + 1), TICK_MS)
    return () => clearInterval(timer)
  }, [])
}
