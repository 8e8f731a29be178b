import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Ctx } from './context.ts'

/** A process that has not been heard of for so long is gone. */
const GONE_AFTER_SECONDS = 30
const BEAT_MS = 10_000

/** Makes this process known to the installation, until it is stopped or dies. */
export async function announceNode(
  system: Ctx,
  roles: readonly string[],
): Promise<{ stop: () => Promise<void> }> {
  const id = randomUUID()
  const beat = () =>
    system.db.run(sql`
      with gone as (
        delete from nodes where beat_at < clock_timestamp() - make_interval(secs => ${GONE_AFTER_SECONDS})
      )
      insert into nodes (id, host, pid, roles) values (${id}, ${hostname()}, ${process.pid}, ${[...roles]}::text[])
      on conflict (id) do update set beat_at = clock_timestamp()`)
  await beat()
  const beating = setInterval(() => {
    void beat().catch((error: unknown) => system.log.warn({ err: error }, 'heartbeat'))
  }, BEAT_MS)
  return {
    async stop() {
      clearInterval(beating)
      await system.db.run(sql`delete from nodes where id = ${id}`)
    },
  }
}

export interface Node {
  readonly host: string
  readonly pid: number
  readonly roles: readonly string[]
}

/** The processes of the installation that were heard of lately. */
export function listNodes(system: Ctx): Promise<Node[]> {
  return system.db.all(sql<Node>`
    select host, pid, roles from nodes
    where beat_at > clock_timestamp() - make_interval(secs => ${GONE_AFTER_SECONDS})`)
}
