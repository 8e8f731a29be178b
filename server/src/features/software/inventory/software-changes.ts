import { addChanges } from '#features/changes/changes.ts'
import type { Ctx } from '#platform/context.ts'
import type { Named } from './install-changes.ts'
import { assetsOfObservations, type ChangeToWrite } from './inventory-store.ts'

const kinds = {
  installed: 'software_installed',
  removed: 'software_removed',
  changed: 'software_updated',
} as const

/** What readers of changes see; also what is undone at once, for they have seen what was done. */
export async function addSoftwareChanges(
  ctx: Ctx,
  changes: readonly ChangeToWrite[],
  named: ReadonlyMap<number, Named>,
): Promise<void> {
  const assetOf = await assetsOfObservations(ctx, [
    ...new Set(changes.map(({ observationId }) => observationId)),
  ])
  const versionOf = (id: number | undefined) => (id === undefined ? null : (named.get(id)?.version ?? null))
  addChanges(
    ctx,
    changes.flatMap(({ kind, observationId, softwareId, formerId }) => {
      const assetId = assetOf.get(observationId)
      if (assetId === undefined) return []
      const [before, after] = kind === 'removed' ? [softwareId, undefined] : [formerId, softwareId]
      const subject = named.get(softwareId)?.name ?? ''
      return [{ kind: kinds[kind], assetId, subject, before: versionOf(before), after: versionOf(after) }]
    }),
  )
}
