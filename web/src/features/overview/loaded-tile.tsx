import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { usePermission } from '#api/use-permission.ts'
import { LoadError } from '#ui/load-error.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { tileQuery } from './tile-query.ts'
import type { Tile } from './tiles.ts'

interface LoadedTileProps {
  readonly tile: Tile
  readonly children: ReactNode
}

/** A tile as soon as what it shows has come; the others do not wait for it, nor fail with it. */
export function LoadedTile({ tile, children }: LoadedTileProps) {
  const { isPending, error, refetch } = useQuery(tileQuery(tile.id, usePermission()))
  if (error)
    return (
      <Panel title={tile.title}>
        <LoadError error={error} onRetry={() => void refetch()} />
      </Panel>
    )
  if (isPending)
    return (
      <div data-loading>
        <Panel title={tile.title}>
          <SkeletonBlock label={`Loading ${tile.title}`} />
        </Panel>
      </div>
    )
  return children
}
