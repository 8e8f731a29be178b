import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import type { DatabaseAddress } from '#platform/database/address.ts'

/** The limit that the product is measured against: its statements through the driver behind a bare handler. */
export interface RawDuty {
  readonly where: DatabaseAddress
  readonly tenantId: string
  readonly connections: number
  /** By path: what to run one after the other. */
  readonly statements: ReadonlyMap<string, readonly pg.QueryConfig[]>
}

process.on('disconnect', () => process.exit())
process.once('message', (duty: RawDuty) => {
  const pool = openPool(duty)
  pool.on('error', () => {}) // the bench is being stopped
  const server = createServer((request, response) => {
    void answer(pool, duty.statements.get(request.url ?? '') ?? [], response)
  })
  server.listen(0, '127.0.0.1', () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
})

/** The same role, so that row-level security applies to both. */
function openPool({ where, tenantId, connections }: RawDuty): pg.Pool {
  return new pg.Pool({
    ...where,
    max: connections,
    types: { getTypeParser: () => asText },
    // the pool awaits it, though its type says void
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: async (client: pg.ClientBase) => {
      await client.query(`set role rollcall_app; set timezone = 'UTC'`)
      await client.query(`select set_config('app.tenant', $1, false)`, [tenantId])
    },
  } as pg.PoolConfig)
}

/** No value is turned into anything: the least that a driver can do. */
const asText = (value: string): string => value

async function answer(
  pool: pg.Pool,
  statements: readonly pg.QueryConfig[],
  response: ServerResponse,
): Promise<void> {
  try {
    const client = await pool.connect()
    const replies: unknown[] = []
    for (const statement of statements) replies.push((await client.query(statement)).rows)
    client.release()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(replies))
  } catch (error) {
    response.writeHead(500).end(String(error))
  }
}
