import { ActionIcon, Checkbox } from '@mantine/core'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import styles from './arranged-list.module.css'

interface ArrangedItem {
  readonly id: string
  readonly title: string
  readonly isShown: boolean
  /** It is always shown. */
  readonly isFixed?: boolean
  /** False: it has no place while it is not shown. */
  readonly isMovable?: boolean
}

interface ArrangedListProps {
  readonly label: string
  readonly items: readonly ArrangedItem[]
  readonly onToggle: (id: string) => void
  readonly onMove: (id: string, by: -1 | 1) => void
}

/** Things that a person shows, hides and puts in order; Alt with an arrow key moves one too. */
export function ArrangedList({ label, items, onToggle, onMove }: ArrangedListProps) {
  const { list, keepFocus } = useFocusOfMoved(items)
  return (
    <ol ref={list} className={styles['items']} aria-label={label}>
      {items.map((item, at) => (
        <li key={item.id} className={styles['item']}>
          <Item
            item={item}
            isEnd={endsFor(items, at)}
            onToggle={() => onToggle(item.id)}
            onMove={(by) => {
              keepFocus(item.id, by)
              onMove(item.id, by)
            }}
          />
        </li>
      ))}
    </ol>
  )
}

function endsFor(items: readonly ArrangedItem[], at: number) {
  const canMove = (item: ArrangedItem | undefined) => item !== undefined && item.isMovable !== false
  const isMovable = canMove(items[at])
  return { up: !isMovable || !canMove(items[at - 1]), down: !isMovable || !canMove(items[at + 1]) }
}

/** A row that moves in the document loses the focus; at an end, its other button gets it. */
function useFocusOfMoved(items: readonly ArrangedItem[]) {
  const list = useRef<HTMLOListElement>(null)
  const focused = useRef<readonly string[]>([])
  useEffect(() => {
    const buttons = focused.current.flatMap((it) => [
      ...(list.current?.querySelectorAll<HTMLElement>(`[data-move="${it}"]:not(:disabled)`) ?? []),
    ])
    focused.current = []
    buttons[0]?.focus()
  }, [items])
  const keepFocus = (id: string, by: -1 | 1) => {
    focused.current = [`${id} ${by}`, `${id} ${-by}`]
  }
  return { list, keepFocus }
}

interface ItemProps {
  readonly item: ArrangedItem
  readonly isEnd: { readonly up: boolean; readonly down: boolean }
  readonly onToggle: () => void
  readonly onMove: (by: -1 | 1) => void
}

function Item({ item: { id, title, isShown, isFixed = false }, isEnd, onToggle, onMove }: ItemProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    const isUp = event.key === 'ArrowUp'
    if (isUp ? !isEnd.up : !isEnd.down) onMove(isUp ? -1 : 1)
  }
  return (
    <>
      <Checkbox
        label={title}
        checked={isShown}
        disabled={isFixed}
        onChange={onToggle}
        onKeyDown={onKeyDown}
      />
      {([-1, 1] as const).map((by) => (
        <ActionIcon
          key={by}
          variant="subtle"
          color="gray"
          aria-label={`${title} ${by === -1 ? 'up' : 'down'}`}
          data-move={`${id} ${by}`}
          disabled={by === -1 ? isEnd.up : isEnd.down}
          onClick={() => onMove(by)}
          onKeyDown={onKeyDown}
        >
          {by === -1 ? <ArrowUp size={15} aria-hidden /> : <ArrowDown size={15} aria-hidden />}
        </ActionIcon>
      ))}
    </>
  )
}
