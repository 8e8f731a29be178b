import { send } from '#api/client.ts'
import { SuggestMergeAgainDocument, UndoKeepApartDocument } from '#api/generated/duplicates.ts'
import type { Pair } from './use-stable-pairs.ts'

/** Asks about a pair again that was kept apart. What somebody suggested is suggested again, now by who undoes it. */
export async function undoKeepApart({ assetA, assetB, suggestion }: Pair): Promise<void> {
  const ids = { assetIdA: assetA.id, assetIdB: assetB.id }
  await send(UndoKeepApartDocument, ids)
  if (suggestion) await send(SuggestMergeAgainDocument, { ...ids, reason: suggestion.reason })
}
