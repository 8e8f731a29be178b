import { ActionIcon, Button, Checkbox, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, LayoutGrid } from 'lucide-react'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { OverviewLayoutDocument, SetOverviewLayoutDocument } from '#api/generated/operations.ts'
import { q, useChange } from '#api/query-client.ts'
import styles from './arrange-tiles.module.css'
import { arranged, moved, toggled, type Layout, type Tile, type TileId } from './tiles.ts'

interface ArrangeTilesProps {
  readonly tiles: readonly Tile[]
  readonly layout: Layout
}

/** Which tiles the person wants to see, in which order. Each change is stored at once. */
export function ArrangeTiles({ tiles, layout }: ArrangeTilesProps) {
  const [isOpen, panel] = useDisclosure(false)
  const change = useSavedLayout()
  const { list, keepFocus } = useFocusOfMoved(layout)
  const shown = arranged(tiles, layout)
  const move = (id: TileId, by: -1 | 1) => {
    keepFocus(id, by)
    change(moved(tiles, layout, id, by))
  }
  return (
    <>
      <Button variant="default" leftSection={<LayoutGrid size={14} aria-hidden />} onClick={panel.open}>
        Arrange
      </Button>
      <Drawer opened={isOpen} onClose={panel.close} title="Arrange the overview" position="right" size="sm">
        <p className="quiet">Yours alone, in this organisation. Alt with an arrow key moves a tile too.</p>
        <ol ref={list} className={styles['tiles']}>
          {shown.map((tile, at) => (
            <li key={tile.id} className={styles['tile']}>
              <TileRow
                tile={tile}
                isShown={!layout.hidden.includes(tile.id)}
                isEnd={{ up: at === 0, down: at === shown.length - 1 }}
                onToggle={() => change(toggled(layout, tile.id))}
                onMove={(by) => move(tile.id, by)}
              />
            </li>
          ))}
        </ol>
        <Button variant="subtle" onClick={() => change({ tiles: [], hidden: [] })}>
          As it comes
        </Button>
      </Drawer>
    </>
  )
}

function useSavedLayout(): (layout: Layout) => void {
  const client = useQueryClient()
  const save = useChange(SetOverviewLayoutDocument)
  return ({ tiles, hidden }) => {
    const next = { tiles: [...tiles], hidden: [...hidden] }
    client.setQueryData(q(OverviewLayoutDocument, {}).queryKey, { overviewLayout: next })
    save.mutate(next)
  }
}

/** A row that moves in the document loses the focus; at an end, its other button gets it. */
function useFocusOfMoved(layout: Layout) {
  const list = useRef<HTMLOListElement>(null)
  const focused = useRef<readonly string[]>([])
  useEffect(() => {
    const buttons = focused.current.flatMap((it) => [
      ...(list.current?.querySelectorAll<HTMLElement>(`[data-move="${it}"]:not(:disabled)`) ?? []),
    ])
    focused.current = []
    buttons[0]?.focus()
  }, [layout])
  const keepFocus = (id: TileId, by: -1 | 1) => {
    focused.current = [`${id} ${by}`, `${id} ${-by}`]
  }
  return { list, keepFocus }
}

interface TileRowProps {
  readonly tile: Tile
  readonly isShown: boolean
  readonly isEnd: { readonly up: boolean; readonly down: boolean }
  readonly onToggle: () => void
  readonly onMove: (by: -1 | 1) => void
}

function TileRow({ tile: { id, title }, isShown, isEnd, onToggle, onMove }: TileRowProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    onMove(event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    <>
      <Checkbox label={title} checked={isShown} onChange={onToggle} onKeyDown={onKeyDown} />
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
