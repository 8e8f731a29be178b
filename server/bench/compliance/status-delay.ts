import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { addTags, removeTags } from '#features/assets/assets.ts'
import { createCheck } from '../../src/features/compliance/checks/own-checks.ts'
import { evaluateNow } from '#features/compliance/compliance.ts'
import type { Ctx } from '#platform/context.ts'
import { startProduct } from '../processes.ts'
import type { Scratch } from '../scratch-installation.ts'

const FLIPS = 10
const POLL_MS = 20
const WAIT_MS = 60_000
const IDLE_WAIT_MS = 1_800_000
const IDLE_POLL_MS = 500
const TAG = 'bench-compliance'
const CONTROL = { framework: 'nist-csf-2.0', controlId: 'GV.OC-01' }

/**
 * Milliseconds from the commit of a tag, which a check forbids, to the commit that tells the new status of the control,
 * as the product does it in a process of its own: each flip of ten.
 */
export async function measureDelays(ctx: Ctx, { superuser, environment }: Scratch): Promise<number[]> {
  await createCheck(ctx, {
    title: 'Has no tag of the bench',
    scope: '',
    condition: `not tag = "${TAG}"`,
    severity: 'low',
    next: '',
    controls: [CONTROL],
    tolerance: '0',
  })
  await evaluateNow(ctx)
  const client = new pg.Client(superuser)
  await client.connect()
  const product = await startProduct(environment)
  try {
    await untilIdle(client, ctx.tenantId)
    const { rows } = await client.query<{ id: string }>(
      'select id from assets where tenant_id = $1 limit 1',
      [ctx.tenantId],
    )
    const change = { assetIds: rows.map(({ id }) => id), tags: [TAG] }
    const delays: number[] = []
    for (let flip = 0; flip < FLIPS; flip++) {
      const status = flip % 2 === 0 ? 'fail' : 'pass'
      await (status === 'fail' ? addTags(ctx, change) : removeTags(ctx, change))
      delays.push(await waitFor(client, ctx.tenantId, status))
    }
    return delays
  } finally {
    await product.stop()
    await client.end()
  }
}

async function waitFor(client: pg.Client, tenantId: string, status: string): Promise<number> {
  const begunAt = performance.now()
  while (performance.now() - begunAt < WAIT_MS) {
    const { rows } = await client.query<{ status: string }>(
      'select status from compliance_control_states where tenant_id = $1 and framework = $2 and control_id = $3',
      [tenantId, CONTROL.framework, CONTROL.controlId],
    )
    if (rows[0]?.status === status) return performance.now() - begunAt
    await sleep(POLL_MS)
  }
  throw new Error(`the control is not ${status} after ${WAIT_MS} ms`)
}

/** Until the evidence of the first round is recorded. */
async function untilIdle(client: pg.Client, tenantId: string): Promise<void> {
  const begunAt = performance.now()
  while (performance.now() - begunAt < IDLE_WAIT_MS) {
    const { rowCount } = await client.query(
      'select from jobs where tenant_id = $1 and failed_at is null and run_at <= now() limit 1',
      [tenantId],
    )
    if (rowCount === 0) return
    await sleep(IDLE_POLL_MS)
  }
  throw new Error('jobs of the first round do not end')
}
