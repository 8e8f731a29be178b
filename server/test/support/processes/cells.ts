import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { testApp, type TestApp } from '../app/test-app.ts'
import { callerAt, type Caller } from '../http/api-client.ts'
import { onDatabase, serve, type Server } from './rollcall-process.ts'

/** Installations beside each other, each with a process that serves, and clients that write to them. */

export interface Cell {
  readonly home: TestApp
  server: Server
  readonly environment: Readonly<Record<string, string>>
  readonly secretKey: string
}

/** An installation with a number, as processes and as an app in this one. */
export async function openCell(cell: number): Promise<Cell> {
  const secretKey = randomBytes(32).toString('hex')
  const home = await testApp({ secretKey, cell })
  const environment = {
    ...onDatabase(home.where, secretKey),
    CELL: String(cell),
    WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
    RATE_LIMIT_PER_MINUTE: '1000000',
  }
  return { home, secretKey, environment, server: await serve(environment) }
}

/** Kills the process that serves, and starts another one at the same address. */
export async function restart(cell: Cell): Promise<void> {
  await cell.server.signal('SIGKILL')
  cell.server = await serve({ ...cell.environment, PORT: new URL(cell.server.address).port })
}

export const at = ({ server }: Cell, key: string): Caller =>
  callerAt(() => Promise.resolve(server.address), key)

export const urlOf = ({ environment }: Cell): string => environment['DATABASE_URL'] ?? ''

export const countsOf = (ctx: Ctx) =>
  ctx.db.one(sql<{ assets: number; software: number }>`
    select (select count(*) from assets where tenant_id = ${ctx.tenantId}) as assets,
      (select count(*) from software where tenant_id = ${ctx.tenantId}) as software`)

export interface Writing {
  /** The names of assets that were acknowledged. */
  readonly taken: readonly string[]
  readonly statuses: ReadonlyMap<number, number>
}

/**
 * Adds an asset every few milliseconds wherever the last answer said that the tenant is. What became of a request
 * without an answer nobody knows: the next asset has another name.
 */
export async function keepWriting(
  cells: readonly Cell[],
  key: string,
  until: () => boolean,
): Promise<Writing> {
  const taken: string[] = []
  const statuses = new Map<number, number>()
  let place = 0
  for (let n = 0; !until(); n += 1) {
    const name = `written ${n}`
    for (;;) {
      const cell = cells[place] as Cell
      const answer = await at(cell, key)
        .post<{ address?: string }>('/assets', { name })
        .catch(() => undefined)
      if (!answer) break
      const { status, body, headers } = answer
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 201) taken.push(name)
      if (status === 201 || until()) break
      if (status === 503 && Number(headers['retry-after']) > 0) continue
      if (status !== 421) throw new Error(`answered ${status}`)
      place = cells.findIndex(({ server }) => server.address === body.address)
    }
  }
  return { taken, statuses }
}
