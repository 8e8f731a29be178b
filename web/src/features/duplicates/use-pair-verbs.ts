import { CopyX, Merge } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { send } from '#api/client.ts'
import {
  MergeAssetsDocument,
  MergeMembersDocument,
  UnlinkObservationsDocument,
} from '#api/generated/asset.ts'
import { KeepApartDocument } from '#api/generated/duplicates.ts'
import type { RowVerb } from '#features/bulk-changes/row-by-row-bar.tsx'
import { keyOfPair } from './stable-pair-order.ts'
import { undoKeepApart } from './undo-keep-apart.ts'
import type { Pair } from './use-stable-pairs.ts'

interface TakenOver {
  readonly assetId: string
  readonly observationIds: readonly string[]
}

/** What can be decided about several pairs at once. A merge is undone by separating what it took over. */
export function usePairVerbs(): readonly RowVerb<Pair>[] {
  const merged = useRef(new Map<string, TakenOver>())
  return useMemo(
    () => [
      {
        title: 'Merge',
        icon: Merge,
        // what speaks against a merge is for somebody to look at
        fits: ({ veto }) => veto === null,
        act: async (pair) => {
          merged.current.set(keyOfPair(pair), await mergePair(pair))
        },
        undo: async (pair) => {
          const taken = merged.current.get(keyOfPair(pair))
          if (taken && taken.observationIds.length > 0)
            await send(UnlinkObservationsDocument, {
              assetId: taken.assetId,
              observationIds: [...taken.observationIds],
              reason: 'merge undone',
            })
        },
        warning:
          'Each pair becomes one asset. Pairs that something speaks against are left. It can be undone.',
      },
      {
        title: 'Not the same',
        icon: CopyX,
        act: ({ assetA, assetB }) => send(KeepApartDocument, { assetIdA: assetA.id, assetIdB: assetB.id }),
        undo: undoKeepApart,
      },
    ],
    [],
  )
}

async function mergePair({ assetA, assetB }: Pair): Promise<TakenOver> {
  const ids = { assetIdA: assetA.id, assetIdB: assetB.id }
  const members = await send(MergeMembersDocument, ids)
  const { mergeAssets } = await send(MergeAssetsDocument, { ...ids, reason: 'manual' })
  const other = mergeAssets.id === assetA.id ? members.b : members.a
  return { assetId: mergeAssets.id, observationIds: other.observations.map(({ id }) => id) }
}
