import type { ReactNode } from 'react'
import styles from './cell.module.css'

interface TwoLinesProps {
  readonly children: ReactNode
  readonly below: ReactNode
}

/** A cell with a name and, below it, the detail that distinguishes rows of the same name. */
export function TwoLines({ children, below }: TwoLinesProps) {
  return (
    <span className={styles['two']}>
      <span>{children}</span>
      <span className={styles['below']}>{below}</span>
    </span>
  )
}

/** A cell of several badges. */
export function Several({ children }: { readonly children: ReactNode }) {
  return <span className={styles['list']}>{children}</span>
}
