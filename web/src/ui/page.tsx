import { useEffect, type ReactNode } from 'react'
import styles from './page.module.css'

interface PageProps {
  readonly title: string
  /** Beside the title: a count or a state. */
  readonly aside?: ReactNode
  readonly description?: ReactNode
  readonly actions?: ReactNode
  /** The content fills the window and scrolls itself, for virtual tables. */
  readonly isFilling?: boolean
  readonly children: ReactNode
}

/** Frame of every screen: title, description, actions and content. */
export function Page({ title, aside, description, actions, isFilling = false, children }: PageProps) {
  useTitle(title)
  return (
    <div className={isFilling ? `${styles['page']} ${styles['filling']}` : styles['page']}>
      <header className={styles['header']}>
        <div className={styles['heading']}>
          <h1 className={styles['title']}>{title}</h1>
          {aside}
        </div>
        {actions && <div className={styles['actions']}>{actions}</div>}
      </header>
      {description && <p className={styles['description']}>{description}</p>}
      {children}
    </div>
  )
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Rollcall`
  }, [title])
}
