import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFlow, publishFlow, setFlowEnabled } from '#features/flows/flows.ts'
import { createTenant } from '#features/tenancy/tenancy.ts'
import type { Ctx } from '#platform/context.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { openLog } from '#platform/observability/log.ts'
import { readConfig } from '../../src/config.ts'
import { openInstallation } from '../../src/startup/installation.ts'
import { startNode, type Node } from './flow-processes.ts'

/** An installation with a database of its own and one tenant; nodes are processes that can be killed. */
export interface FlowInstallation {
  readonly ctx: Ctx
  readonly dataDir: string
  readonly superuser: DatabaseAddress
  readonly startOne: () => Node
  readonly close: () => Promise<void>
}

export async function openFlowInstallation(): Promise<FlowInstallation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rollcall-flows-'))
  await chmod(dataDir, 0o755) // as root, PostgreSQL runs as another user, who has to pass
  const config = readConfig({
    DATA_DIR: dataDir,
    SECRET_KEY: randomBytes(32).toString('hex'),
    WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
  })
  const log = openLog('silent')
  const installation = await openInstallation(config, log)
  if (!installation.postgres) throw new Error('it needs a database of its own')
  installation.postgres.supervise(log)
  const { where, superuser } = installation.postgres
  const { id } = await createTenant(installation.runtime.system, { slug: 'flows', name: 'Flows' })
  const nodes: Node[] = []
  return {
    ctx: installation.runtime.contextFor(id),
    dataDir,
    superuser: { ...superuser, database: String(where.database) },
    startOne() {
      const node = startNode({ where, secretKey: String(config.secretKey) })
      nodes.push(node)
      return node
    },
    async close() {
      for (const node of nodes) await node.kill()
      await installation.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Created, published and switched on; answers its id. */
export async function liveFlow(ctx: Ctx, name: string, definition: object): Promise<string> {
  const { id } = await createFlow(ctx, { name, definition: { runsPerMinute: 60_000, ...definition } })
  await publishFlow(ctx, id)
  await setFlowEnabled(ctx, id, true)
  return id
}

/** Asks until the answer is true, also while the database is away; false when it never was within the time. */
export async function becomesTrue(ask: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  for (;;) {
    if (await ask().catch(() => false)) return true
    if (performance.now() > deadline) return false
    await sleep(50)
  }
}
