import type { ReactNode } from 'react'
import { Time } from './time.tsx'
import styles from './timeline.module.css'

interface TimelineEntry {
  readonly id: string
  readonly at: string
  readonly title: ReactNode
  readonly text?: ReactNode
}

/** Events, newest first. */
export function Timeline({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  return (
    <ol className={styles['timeline']}>
      {entries.map(({ id, at, title, text }) => (
        <li key={id} className={styles['entry']}>
          <div className={styles['line']}>
            <span className={styles['title']}>{title}</span>
            <span className={styles['at']}>
              <Time at={at} />
            </span>
          </div>
          {text && <div className={styles['text']}>{text}</div>}
        </li>
      ))}
    </ol>
  )
}
