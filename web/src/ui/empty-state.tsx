import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

interface EmptyStateProps {
  readonly icon: LucideIcon
  readonly title: string
  /** Why the list is empty, and the next step. */
  readonly children: ReactNode
  readonly action?: ReactNode
}

/** In place of an empty list. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={styles['empty']}>
      <Icon className={styles['icon']} size={22} strokeWidth={1.6} aria-hidden />
      <p className={styles['title']}>{title}</p>
      <p className={styles['text']}>{children}</p>
      {action}
    </div>
  )
}
