import { ActionIcon, Button, Checkbox, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, LayoutGrid } from 'lucide-react'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { send } from '#api/client.ts'
import { messageOf } from '#api/errors.ts'
import { OverviewLayoutDocument, SetOverviewLayoutDocument } from '#api/generated/overview.ts'
import { q } from '#api/query-client.ts'
import { toastFailed } from '#ui/toast.ts'
import styles from './arrange-tiles.module.css'
import { arranged, moved, toggled, type Layout, type Tile, type TileId } from './tiles.ts'

interface ArrangeTilesProps {
  readonly tiles: readonly Tile[]
  readonly layout: Layout
}

/** Which tiles the person wants to see, in which order. Each change is stored at once; what was stored last is said. */
export function ArrangeTiles({ tiles, layout }: ArrangeTilesProps) {
  const [isOpen, panel] = useDisclosure(false)
  const { change, status } = useSavedLayout()
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
        <p className="quiet" role="status">
          {status}
        </p>
      </Drawer>
    </>
  )
}

/** One request at a time and then the newest layout only, so that an older one never arrives last. */
function useSavedLayout() {
  const client = useQueryClient()
  const { queryKey } = q(OverviewLayoutDocument, {})
  const waiting = useRef<Layout>(undefined)
  const save = useMutation({
    mutationFn: async () => {
      for (let layout = waiting.current; layout; layout = waiting.current) {
        await send(SetOverviewLayoutDocument, { tiles: [...layout.tiles], hidden: [...layout.hidden] })
        if (waiting.current === layout) waiting.current = undefined
      }
    },
    onError: (error) => {
      waiting.current = undefined
      toastFailed(messageOf(error))
      void client.invalidateQueries({ queryKey })
    },
  })
  const change = (layout: Layout) => {
    const isSaving = waiting.current !== undefined
    waiting.current = layout
    void client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, {
      overviewLayout: { tiles: [...layout.tiles], hidden: [...layout.hidden] },
    })
    if (!isSaving) save.mutate()
  }
  return { change, status: save.isPending ? 'Saving…' : save.isSuccess ? 'Saved' : '' }
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
