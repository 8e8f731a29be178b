import { listFile } from '#platform/conditions/lists/list-file.ts'
import type { FileRoute } from '#platform/http/uploads.ts'
import { silenceOf, stateOf } from './agent.ts'
import { listAgents } from './agents.ts'

export const files: readonly FileRoute[] = [
  listFile({
    name: 'agents.csv',
    async list(ctx, page, query) {
      const { items, total } = await listAgents(ctx, page, query)
      const now = ctx.now()
      return {
        items: items.map((it) => ({ ...it, state: stateOf(it, now), why: silenceOf(it, now) })),
        total,
      }
    },
    columns: [
      'id',
      'name',
      'kind',
      'version',
      'state',
      'why',
      'deviceId',
      'address',
      'tokenName',
      'assetId',
      'firstSeenAt',
      'lastContactAt',
      'lastReportAt',
    ],
  }),
]
