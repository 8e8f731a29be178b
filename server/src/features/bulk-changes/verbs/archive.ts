import { archiveAssets, archiveStates, reviveAssets } from '#features/assets/assets.ts'
import type { BulkVerb, Previous } from './verb.ts'

interface State {
  readonly archivedAt: string | null
  readonly archivedBy: string | null
}

const common = { subject: 'asset', permission: 'assets:write', check: () => Promise.resolve({}) } as const

export const archive: BulkVerb = {
  name: 'archive',
  ...common,
  async apply(ctx, _, assetIds) {
    const by = ctx.actor.name ?? `${ctx.actor.kind} ${ctx.actor.id}`
    const archived = await archiveAssets(
      ctx,
      assetIds.map((id) => ({ id, at: ctx.now(), by })),
    )
    return new Map(archived.map(({ id }) => [id, { archivedAt: null, archivedBy: null }]))
  },
  async restore(ctx, _, previous) {
    const revived = await reviveAssets(ctx, [...previous.keys()])
    return new Map(revived.map(({ id }) => [id, true]))
  },
}

export const revive: BulkVerb = {
  name: 'revive',
  ...common,
  async apply(ctx, _, assetIds): Promise<Previous> {
    const before = new Map((await archiveStates(ctx, assetIds)).map(({ id, ...state }) => [id, state]))
    const revived = await reviveAssets(ctx, assetIds)
    return new Map(revived.map(({ id }) => [id, before.get(id)]))
  },
  async restore(ctx, _, previous) {
    const archived = await archiveAssets(
      ctx,
      [...(previous as ReadonlyMap<string, State>)].map(([id, { archivedAt, archivedBy }]) => ({
        id,
        at: archivedAt === null ? ctx.now() : new Date(archivedAt),
        by: archivedBy ?? '',
      })),
    )
    return new Map(archived.map(({ id }) => [id, true]))
  },
}
