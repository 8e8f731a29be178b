import type { Freshness } from '#api/generated/enums-and-inputs.ts'
import { Badge, type Tone } from '#ui/badge.tsx'
import { Time } from '#ui/time.tsx'
import styles from './freshness.module.css'

const DAY_MS = 24 * 3_600_000

/** The class of `lastSeen`, as in the server's filter. */
export function freshnessOf(lastSeen: string, now = Date.now()): Freshness {
  const days = (now - Date.parse(lastSeen)) / DAY_MS
  if (days <= 1) return 'day'
  if (days <= 7) return 'week'
  return days <= 30 ? 'month' : 'older'
}

/** An emptier circle means longer ago. */
export function LastSeen({ at }: { readonly at: string }) {
  return (
    <span className={styles['seen']}>
      <span className={styles['dot']} data-freshness={freshnessOf(at)} aria-hidden />
      <Time at={at} />
    </span>
  )
}

/** Beside the name of an asset that no source has seen for longer than expected. */
export function StaleBadge({ since }: { readonly since: string | null }) {
  if (since === null) return null
  return (
    <span title="No source has seen it for longer than expected: checks and the overview of risk leave it out until one does.">
      <Badge tone="warn" sign="◐">
        Stale
      </Badge>
    </span>
  )
}

const WORDS: Readonly<Record<Freshness, readonly [string, Tone, '●' | '◐' | '○']>> = {
  day: ['Seen within a day', 'good', '●'],
  week: ['Seen within a week', 'info', '◐'],
  month: ['Seen within a month', 'warn', '◐'],
  older: ['Not seen for a month', 'none', '○'],
}

export function FreshnessBadge({ lastSeen }: { readonly lastSeen: string }) {
  const [words, tone, sign] = WORDS[freshnessOf(lastSeen)]
  return (
    <Badge tone={tone} sign={sign}>
      {words}
    </Badge>
  )
}
