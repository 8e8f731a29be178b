import type { ReactNode } from 'react'
import styles from './preview-facts.module.css'

export interface Fact {
  readonly title: string
  /** Empty: not told. */
  readonly value: ReactNode
}

/** What is known of the row that is shown beside its list. */
export const PreviewFacts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl className={styles['facts']}>
    {facts.map(({ title, value }) => (
      <div key={title} className={styles['fact']}>
        <dt className={styles['title']}>{title}</dt>
        <dd className={styles['value']}>{value || <span className="quiet">not told</span>}</dd>
      </div>
    ))}
  </dl>
)
