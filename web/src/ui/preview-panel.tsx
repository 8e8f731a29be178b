import { ActionIcon } from '@mantine/core'
import { X } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import styles from './preview-panel.module.css'

interface PreviewPanelProps {
  readonly title: string
  /** Beside the title: the way to its own page. */
  readonly actions?: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
}

/** One row of a list beside it. The list stays in use: j and k show the next one, Escape closes. */
export function PreviewPanel({ title, actions, onClose, children }: PreviewPanelProps) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    const before = document.activeElement
    panel.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    <aside ref={panel} className={styles['panel']} aria-label={title} tabIndex={-1}>
      <header className={styles['head']}>
        <h2 className={styles['title']}>{title}</h2>
        {actions}
        <ActionIcon variant="subtle" color="gray" size={30} aria-label="Close" onClick={onClose}>
          <X size={16} aria-hidden />
        </ActionIcon>
      </header>
      <div className={styles['body']}>{children}</div>
    </aside>
  )
}
