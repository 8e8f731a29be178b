import type { Ctx, Happening } from '#platform/context.ts'
import { judgeLater } from './evaluation/judge-due.ts'

interface Changed {
  /** Of a deleted or merged asset. */
  readonly asset_id?: string
  readonly asset_ids?: readonly string[]
}

/** Assets that changed, came, were archived or are gone are judged again after the commit of the change. */
export async function onChanged(ctx: Ctx, happenings: readonly Happening[]): Promise<void> {
  const ids = happenings.flatMap(({ body }) => {
    const { asset_id, asset_ids } = JSON.parse(body.toString()) as Changed
    return asset_ids ?? asset_id ?? []
  })
  await judgeLater(ctx, [...new Set(ids)])
}
