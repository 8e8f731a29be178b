import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
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

/** An installation with a database of its own; nodes are processes that can be killed. */
export interface FlowInstallation {
  readonly system: Ctx
  readonly newTenant: (slug: string) => Promise<Ctx>
  /** What the nodes log. */
  readonly logFile: string
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
  const { system, contextFor } = installation.runtime
  const logFile = join(tmpdir(), `rollcall-flows-${process.pid}.log`)
  const logHandle = openSync(logFile, 'w')
  const nodes: Node[] = []
  return {
    system,
    newTenant: async (slug) => contextFor((await createTenant(system, { slug, name: slug })).id),
    logFile,
    dataDir,
    superuser: { ...superuser, database: String(where.database) },
    startOne() {
      const node = startNode({ where, secretKey: String(config.secretKey) }, logHandle)
      nodes.push(node)
      return node
    },
    async close() {
      for (const node of nodes) await node.kill()
      await installation.close()
      closeSync(logHandle)
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
