import type { ReactNode } from 'react'
import styles from './panel.module.css'

interface PanelProps {
  readonly title?: string
  readonly aside?: ReactNode
  /** The content has no padding, for tables. */
  readonly isFlush?: boolean
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A titled section of a page. */
export function Panel({ title, aside, isFlush = false, className = '', children }: PanelProps) {
  return (
    <section className={`${styles['panel']} ${className}`} aria-label={title}>
      {title && (
        <header className={styles['header']}>
          <h2 className={styles['title']}>{title}</h2>
          {aside && <div className={styles['aside']}>{aside}</div>}
        </header>
      )}
      <div className={isFlush ? styles['flush'] : styles['body']}>{children}</div>
    </section>
  )
}
