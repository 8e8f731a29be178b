import { Button, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { LayoutGrid } from 'lucide-react'
import { useRef } from 'react'
import { send } from '#api/client.ts'
import { messageOf } from '#api/errors.ts'
import { SavedViewsDocument } from '#api/generated/conditions.ts'
import { OverviewLayoutDocument, SetOverviewLayoutDocument } from '#api/generated/overview.ts'
import { q } from '#api/query-client.ts'
import { ArrangedList } from '#ui/arranged-list.tsx'
import { toastFailed } from '#ui/toast.ts'
import { arranged, isShown, moved, toggled, withViews, type Layout, type Tile } from './tiles.ts'

interface ArrangeTilesProps {
  readonly tiles: readonly Tile[]
  readonly layout: Layout
}

/** Which tiles the person wants to see, in which order. Each change is stored at once; what was stored last is said. */
export function ArrangeTiles({ tiles, layout }: ArrangeTilesProps) {
  const [isOpen, panel] = useDisclosure(false)
  const { change, status } = useSavedLayout()
  const views = useQuery({ ...q(SavedViewsDocument, {}), enabled: isOpen }).data?.savedViews
  const all = withViews(tiles, views ?? [])
  const shown = arranged(all, layout)
  return (
    <>
      <Button variant="default" leftSection={<LayoutGrid size={14} aria-hidden />} onClick={panel.open}>
        Arrange
      </Button>
      <Drawer opened={isOpen} onClose={panel.close} title="Arrange the overview" position="right" size="sm">
        <p className="quiet">
          Yours alone, in this organisation. Alt with an arrow key moves a tile too. Saved views of assets and
          of findings can be tiles.
        </p>
        <ArrangedList
          label="Tiles"
          items={shown.map(({ id, title }) => ({ id, title, isShown: isShown(layout, id) }))}
          onToggle={(id) => change(toggled(layout, id))}
          onMove={(id, by) => change(moved(all, layout, id, by))}
        />
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
