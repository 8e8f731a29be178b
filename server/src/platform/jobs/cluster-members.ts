import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Ctx } from '../context.ts'

/** A process that has not been heard of for so long is gone. */
const GONE_AFTER_SECONDS = 30
const BEAT_MS = 10_000

export interface AnnouncedNode {
  /** From now on it answers requests at this address. */
  readonly reachableAt: (address: string) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Makes this process known to the installation, until it is stopped or dies. */
export async function announceNode(system: Ctx, roles: readonly string[]): Promise<AnnouncedNode> {
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
    async reachableAt(address) {
      await system.db.run(sql`update nodes set address = ${address} where id = ${id}`)
    },
    async stop() {
      clearInterval(beating)
      await system.db.run(sql`delete from nodes where id = ${id}`)
    },
  }
}

/** The address of a process that answers requests, one of this machine first; undefined when none runs. */
export async function addressInUse(system: Ctx): Promise<string | undefined> {
  const found = await system.db.maybe(sql<{ address: string }>`
    select address from nodes
    where address is not null and beat_at > clock_timestamp() - make_interval(secs => ${GONE_AFTER_SECONDS})
    order by host = ${hostname()} desc, started_at desc limit 1`)
  return found?.address
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
