import type { ReactNode } from 'react'
import { count, shareOf } from '#lib/numbers.ts'
import styles from './bar-list.module.css'

export interface Bar {
  readonly key: string
  /** With a link to the counted items. */
  readonly label: ReactNode
  readonly count: number
}

/** Counts as horizontal bars, relative to the greatest. */
export function BarList({ bars, total }: { readonly bars: readonly Bar[]; readonly total: number }) {
  const greatest = Math.max(1, ...bars.map((bar) => bar.count))
  return (
    <ul className={styles['list']}>
      {bars.map((bar) => (
        <li key={bar.key} className={styles['row']}>
          <span className={styles['label']}>{bar.label}</span>
          <span className={styles['track']} aria-hidden>
            <span className={styles['bar']} style={{ width: `${(bar.count / greatest) * 100}%` }} />
          </span>
          <span className={styles['count']}>{count(bar.count)}</span>
          <span className={styles['share']}>{total > 0 ? shareOf(bar.count, total) : ''}</span>
        </li>
      ))}
    </ul>
  )
}
