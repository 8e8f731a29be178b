import { Link } from '@tanstack/react-router'
import type { OverviewData } from '#api/generated/overview.ts'
import { FRESHNESS, SEEN } from '#features/assets/list/asset-search-params.ts'
import { count, shareOf } from '#lib/numbers.ts'
import styles from './freshness-bar.module.css'

interface FreshnessBarProps {
  readonly shares: OverviewData['overview']['byFreshness']
  readonly total: number
}

/** All assets as a stacked bar, by class of `lastSeen`. */
export function FreshnessBar({ shares, total }: FreshnessBarProps) {
  const ordered = (['day', 'week', 'month', 'older'] as const).map((freshness) => ({
    freshness,
    n: shares.find((it) => it.freshness === freshness)?.count ?? 0,
  }))
  return (
    <>
      <div className={styles['bar']} aria-hidden>
        {ordered.map(({ freshness, n }) => (
          <span
            key={freshness}
            className={styles['part']}
            data-freshness={freshness}
            style={{ flexGrow: n / Math.max(1, total) }}
          />
        ))}
      </div>
      <ul className={styles['legend']}>
        {ordered.map(({ freshness, n }) => (
          <li key={freshness} className={styles['entry']}>
            <span className={styles['swatch']} data-freshness={freshness} aria-hidden />
            <Link to="/assets" search={{ where: SEEN[freshness] }}>
              {FRESHNESS[freshness]}
            </Link>
            <span className={styles['count']}>{count(n)}</span>
            <span className="quiet">{shareOf(n, total)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
