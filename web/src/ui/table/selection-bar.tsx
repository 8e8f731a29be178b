import { ActionIcon, Button } from '@mantine/core'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { many, plural } from '#lib/numbers.ts'
import { ProgressBar } from '../progress-bar.tsx'
import styles from './selection-bar.module.css'
import type { RowSelection } from './use-selection.ts'

interface SelectionBarProps {
  readonly selection: RowSelection
  /** What the rows are: `asset`. */
  readonly noun: string
  readonly children: ReactNode
}

/** How many rows are selected, and what can be done with them; nothing while none is. */
export function SelectionBar({ selection: { size, isAll, clear }, noun, children }: SelectionBarProps) {
  if (size === 0) return null
  return (
    <div className={styles['bar']} role="region" aria-label={`Selected ${plural(2, noun, `${noun}s`)}`}>
      <strong aria-live="polite" className={styles['count']}>
        {isAll ? `All ${many(size, noun)}` : many(size, noun)} selected
      </strong>
      {children}
      <ActionIcon variant="subtle" color="gray" size={30} aria-label="Clear selection" onClick={clear}>
        <X size={15} aria-hidden />
      </ActionIcon>
    </div>
  )
}

interface ProgressStripProps {
  readonly text: string
  /** Null: it is not known how much there is to do. Undefined: it is over. */
  readonly share: number | null | undefined
  readonly isFailed?: boolean
  readonly onStop?: (() => void) | undefined
  readonly onUndo?: (() => void) | undefined
  readonly isBusy?: boolean
  readonly onDismiss: () => void
}

/** How far a change of many rows is, with a way to stop it; afterwards what it did, with a way to undo it. */
export function ProgressStrip(props: ProgressStripProps) {
  const { text, share, isFailed = false, onStop, onUndo, isBusy = false, onDismiss } = props
  const isOver = share === undefined
  return (
    <div className={styles['bar']} role="region" aria-label="Bulk change" data-failed={isFailed || undefined}>
      <div className={styles['progress']}>
        <p role="status">{text}</p>
        {!isOver && <ProgressBar label="Progress of the change" share={share} />}
      </div>
      {!isOver && (
        <Button variant="default" loading={isBusy} onClick={onStop}>
          Stop
        </Button>
      )}
      {isOver && onUndo && (
        <Button variant="default" loading={isBusy} onClick={onUndo}>
          Undo
        </Button>
      )}
      {isOver && (
        <ActionIcon variant="subtle" color="gray" size={30} aria-label="Dismiss" onClick={onDismiss}>
          <X size={15} aria-hidden />
        </ActionIcon>
      )}
    </div>
  )
}

/** Where the bars of a list float: above its last rows. */
export const SelectionBars = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles['stack']}>{children}</div>
)
