import type { ReactNode } from 'react'
import styles from './lines.module.css'

const MOST_COLUMNS = 4

interface Line {
  readonly key: string
  readonly name: ReactNode
  readonly note?: ReactNode
  readonly value: ReactNode
}

interface LinesProps {
  readonly lines: readonly Line[]
  /** In place of no line. */
  readonly empty: string
  readonly isInColumns?: boolean
}

/** Names with a value each. */
export function Lines({ lines, empty, isInColumns = false }: LinesProps) {
  if (lines.length === 0) return <p className="quiet">{empty}</p>
  return (
    <ul
      className={isInColumns ? `${styles['lines']} ${styles['columns']}` : styles['lines']}
      data-columns={isInColumns ? evenColumns(lines.length) : undefined}
    >
      {lines.map(({ key, name, note, value }) => (
        <li key={key} className={styles['line']}>
          <span className={styles['name']}>{name}</span>
          {note && <span className={styles['note']}>{note}</span>}
          <span className={styles['value']}>{value}</span>
        </li>
      ))}
    </ul>
  )
}

/** At most; so few that the last row is about as full as the others. */
const evenColumns = (lines: number): number => Math.ceil(lines / Math.ceil(lines / MOST_COLUMNS))
