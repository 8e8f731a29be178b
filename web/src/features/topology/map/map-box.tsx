import { VisuallyHidden } from '@mantine/core'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { createElement } from 'react'
import { count } from '#lib/numbers.ts'
import type { Box } from './map-layout.ts'
import { COLUMN, ROW } from './map-lines.tsx'
import { mapIconOf, mapTypeName } from './map-types.ts'
import styles from './topology-page.module.css'

interface MapBoxProps {
  readonly box: Box
  readonly isCurrent: boolean
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly onToggle: () => void
}

export function MapBox({ box, isCurrent, isChosen, onChoose, onToggle }: MapBoxProps) {
  const { node, row, column, children, isOpen, place, brothers } = box
  const { name, type, leaves } = node
  const kind = mapTypeName(type)
  const hanging = leaves > 0 ? `${count(leaves)} on it` : ''
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree takes the keys of all its items
    <div
      role="treeitem"
      tabIndex={isCurrent ? 0 : -1}
      aria-level={column + 1}
      aria-posinset={place + 1}
      aria-setsize={brothers}
      aria-expanded={isOpen}
      aria-selected={isChosen}
      className={styles['box']}
      data-type={type ?? 'none'}
      style={{ left: column * COLUMN, top: row * ROW }}
      title={[name, kind, hanging].filter(Boolean).join(' · ')}
      onClick={onChoose}
    >
      {createElement(mapIconOf(type), { size: 15, strokeWidth: 1.7, 'aria-hidden': true })}
      <span className={styles['name']}>{name}</span>
      <VisuallyHidden>{[kind, hanging].filter(Boolean).join(', ')}</VisuallyHidden>
      {leaves > 0 && (
        <span className={styles['leaves']} aria-hidden>
          {count(leaves)}
        </span>
      )}
      {isOpen !== undefined && (
        <button
          type="button"
          tabIndex={-1}
          aria-hidden
          className={styles['toggle']}
          title={isOpen ? 'Close' : `Open ${count(children)}`}
          onClick={(event) => {
            event.stopPropagation()
            onToggle()
          }}
        >
          {isOpen ? <ChevronLeft size={14} /> : <ChevronRight size={14} />}
        </button>
      )}
    </div>
  )
}
