import { permit, type Ctx } from '#platform/context.ts'
import type { CloudConnection } from '../connection.ts'
import type { CostLine } from './cost.ts'
import { CostSums } from './cost-sums.ts'
import * as store from './cost-store.ts'

/** Costs of months for demonstration, of a connection that is never read. */
export async function recordSampleCosts(
  ctx: Ctx,
  connection: CloudConnection,
  lines: readonly CostLine[],
): Promise<void> {
  permit(ctx, 'cloud:write')
  const sums = new CostSums()
  for (const line of lines) sums.add(line)
  const all = [...sums.all()]
  const writing = { connection, by: 'month' as const }
  await store.putAccounts(
    ctx,
    writing,
    all.filter(({ resource }) => resource === ''),
  )
  await store.putResources(
    ctx,
    writing,
    all.filter(({ resource }) => resource !== ''),
  )
}
