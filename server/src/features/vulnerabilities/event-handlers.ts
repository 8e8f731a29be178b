import type { Ctx, Happening } from '#platform/context.ts'
import { matchLater } from './matching/matching.ts'
import * as settleStore from './findings/finding-status-store.ts'
import { bury } from './findings/sync-findings.ts'

/** What becomes of findings when assets change: in the transaction of the change. */

interface Told {
  readonly asset_id?: string
  readonly asset_id_a?: string
  readonly asset_id_b?: string
  readonly reason?: string
  readonly changed_fields?: readonly string[]
}

const toldBy = ({ body }: Happening): Told => JSON.parse(body.toString()) as Told

/** A deleted asset takes its findings along; a merged one leaves them, once it is known to whom. */
export async function onDeleted(ctx: Ctx, happenings: readonly Happening[]): Promise<void> {
  const told = happenings.map(toldBy)
  const merged = told.filter(({ reason }) => reason === 'merged').flatMap(({ asset_id: id }) => id ?? [])
  const deleted = told.filter(({ reason }) => reason !== 'merged').flatMap(({ asset_id: id }) => id ?? [])
  await matchLater(ctx, merged)
  if (deleted.length === 0) return
  await settleStore.lockTenant(ctx)
  await bury(
    ctx,
    deleted.map((id) => ({ id, survivor: null })),
  )
}

/** Software follows observations, so it may be another's now. */
export async function onMoved(ctx: Ctx, happenings: readonly Happening[]): Promise<void> {
  const told = happenings.map(toldBy)
  const moved = told.filter((it) => it.asset_id_a !== undefined || it.changed_fields?.includes('merged'))
  await matchLater(
    ctx,
    moved.flatMap(({ asset_id: id, asset_id_a: a, asset_id_b: b }) =>
      [id, a, b].filter((it) => it !== undefined),
    ),
  )
}
