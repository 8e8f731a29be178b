import type pg from 'pg'
import { asUnavailable, inTime } from './unavailable-errors.ts'
import type { DatabaseAddress } from './address.ts'
import { CONNECT_MS, connectPrimary } from './connect-primary.ts'

/**
 * Which of two connections runs the next query. Not strictly alternating: a pooler that deals out server sessions round
 * robin would give each connection the same session every time. Long enough that other clients of the pooler do not hide it.
 */
const QUERY_ORDER = 'ABBAAABABBBAABAABABB'

/**
 * Whether a connection keeps its session. Behind a pooler in transaction mode (PgBouncer, Odyssey, RDS Proxy …) each
 * transaction may run in another session, and two connections may share one.
 */
export async function keepsSessions(where: DatabaseAddress): Promise<boolean> {
  const [first, second] = await Promise.all([connectPrimary(where), connectPrimary(where)])
  try {
    const pids = { A: new Set<number>(), B: new Set<number>() }
    for (const name of QUERY_ORDER) {
      const connection = name === 'A' ? first : second
      pids[name as 'A' | 'B'].add(await inTime(pidOf(connection.client), CONNECT_MS))
    }
    return pids.A.size === 1 && pids.B.size === 1 && ![...pids.A].some((pid) => pids.B.has(pid))
  } catch (error) {
    throw asUnavailable(error)
  } finally {
    await Promise.all([first.client.end(), second.client.end()])
  }
}

async function pidOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}
