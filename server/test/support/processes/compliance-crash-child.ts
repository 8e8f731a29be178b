import { addTags, removeTags } from '#features/assets/assets.ts'
import { evaluateNow } from '#features/compliance/compliance.ts'
import { judgeDue } from '#features/compliance/evaluation/judge-due.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { openLog } from '#platform/observability/log.ts'
import { openNet } from '#platform/egress/net.ts'
import { features } from '../../../src/app.ts'
import { openRuntime } from '../../../src/startup/runtime.ts'

/** What the parent process hands over as the one argument. */
export interface Orders {
  readonly where: DatabaseAddress
  readonly secretKey: string
  readonly tenantId: string
  readonly assetId: string
}

/** A worker that also turns an asset from failing to passing and back, until it is killed. */
const { where, secretKey, tenantId, assetId } = JSON.parse(process.argv[2] ?? '') as Orders

const { contextFor } = openRuntime({
  where,
  features,
  secretKey,
  net: openNet({ allowPrivate: [] }),
  log: openLog('silent'),
  connections: 2,
})
const ctx = contextFor(tenantId)
for (let n = 0; ; n++) {
  const tagging = { assetIds: [assetId], tags: ['bad'] }
  await (n % 2 === 0 ? addTags(ctx, tagging) : removeTags(ctx, tagging))
  await judgeDue(ctx)
  if (n % 7 === 6) await evaluateNow(ctx)
}
