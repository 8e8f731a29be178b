import { sql } from 'kysely'
import { processSeconds } from '../agents/processor-time.ts'
import { databaseClock } from '../compliance/database-cost.ts'
import { countStatements, type StatementShare } from './database-counts.ts'
import type { Scene } from './webhook-installation.ts'

export interface DeliveryCost {
  /** Processor seconds for 10,000 deliveries, of the processes that commit and deliver. */
  readonly senderSeconds: number
  readonly databaseSeconds: number
  /** Of one delivery, with the commit of its event unless it was there before. */
  readonly commits: number
  readonly statements: number
  readonly walBytes: number
  /** The slowest first. */
  readonly slowest: readonly StatementShare[]
}

/** What `work` cost, shared out among so many deliveries. */
export async function costOf<T>(
  scene: Scene,
  deliveries: number,
  work: () => Promise<T>,
): Promise<DeliveryCost & { readonly result: T }> {
  const database = await databaseClock(scene.database)
  const counted = await countStatements(scene.database)
  const sender = () => scene.pids.reduce((sum, pid) => sum + processSeconds(pid), 0)
  const [senderBefore, databaseBefore] = [sender(), database()]
  const result = await work()
  const per = 10_000 / deliveries
  const [senderSeconds, databaseSeconds] = [
    (sender() - senderBefore) * per,
    (database() - databaseBefore) * per,
  ]
  const { commits, statements, walBytes, slowest } = await counted()
  return {
    result,
    senderSeconds,
    databaseSeconds,
    commits: commits / deliveries,
    statements: statements / deliveries,
    walBytes: walBytes / deliveries,
    slowest,
  }
}

export const isEmpty = async ({ installation }: Scene): Promise<boolean> =>
  (await installation.runtime.system.db.all(sql`select from webhook_deliveries limit 1`)).length === 0
