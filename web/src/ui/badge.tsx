import type { ReactNode } from 'react'
import styles from './badge.module.css'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'none' | 'accent'

interface BadgeProps {
  readonly tone?: Tone
  /** A sign beside the word, so that no state is conveyed by colour alone (WCAG 1.4.1). */
  readonly sign?: '●' | '◐' | '○' | '✓' | '!' | '×' | '…'
  readonly children: ReactNode
}

/** A state as one word. */
export function Badge({ tone = 'none', sign, children }: BadgeProps) {
  return (
    <span className={`${styles['badge']} ${styles[tone]}`}>
      {sign && <span aria-hidden>{sign}</span>}
      {children}
    </span>
  )
}

/** A user-defined word, such as a tag. */
export function Chip({ children }: { readonly children: ReactNode }) {
  return <span className={styles['chip']}>{children}</span>
}

/** Words in one line of a list: each is cut where there is no room, and all of them are in the title. */
export function ChipLine({ words }: { readonly words: readonly string[] }) {
  return (
    <span className={styles['line']} title={words.join(', ')}>
      {words.map((word) => (
        <Chip key={word}>{word}</Chip>
      ))}
    </span>
  )
}
