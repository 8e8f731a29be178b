import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import {
  BulkChangeDocument,
  LatestBulkChangeDocument,
  StartBulkChangeDocument,
  type BulkProgress,
  type StartBulkChangeVariables,
} from '#api/generated/bulk-changes.ts'
import { send } from '#api/client.ts'
import { q } from '#api/query-client.ts'
import { remember, remembered } from './remembered-change.ts'

const POLL_MS = 700

/** Which assets or findings: those named, or all for which a condition holds. */
export type BulkSelection = Pick<StartBulkChangeVariables, 'assetIds' | 'findingIds' | 'where'>
/** What is to be done with them. */
export type BulkOrder = Pick<StartBulkChangeVariables, 'verb' | 'values' | 'confirm'>

/**
 * The bulk change that was started here, also after a reload or a look at something else, or one that is still under way
 * when the list is opened.
 */
export function useBulkChange(subject: BulkProgress['subject']) {
  const client = useQueryClient()
  const [followed, setFollowed] = useState(() => remembered(subject))
  const [dismissed, setDismissed] = useState<string>()
  const latest = useQuery(q(LatestBulkChangeDocument, {})).data?.bulkChanges.items[0]
  const begun = followed ?? (latest && !latest.finishedAt ? latest : undefined)
  const { data } = useQuery({
    ...q(BulkChangeDocument, { id: begun?.id ?? '' }),
    enabled: begun !== undefined && begun.id !== dismissed,
    refetchInterval: ({ state }) => (state.data?.bulkChange.finishedAt ? false : POLL_MS),
  })
  const change = data?.bulkChange ?? begun
  const finishedAt = change?.finishedAt
  useEffect(() => {
    // the lists show what the change did; it says so itself
    const isOther = ({ queryKey }: { queryKey: readonly unknown[] }) =>
      queryKey[0] !== BulkChangeDocument.name
    if (finishedAt) void client.invalidateQueries({ predicate: isOther })
  }, [finishedAt, client])
  const follow = (next: BulkProgress) => {
    setFollowed(next)
    remember(subject, next)
  }
  return {
    change: change && change.id !== dismissed ? change : undefined,
    follow,
    dismiss: () => {
      setDismissed(change?.id)
      remember(subject, undefined)
    },
    start: async (selection: BulkSelection, order: BulkOrder): Promise<void> => {
      const { startBulkChange } = await send(StartBulkChangeDocument, { ...selection, ...order })
      follow(startBulkChange)
    },
  }
}
