import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { getTenantBySlug } from '#features/tenancy/tenancy.ts'
import { createEndpoint } from '#features/webhooks/webhooks.ts'
import { receiver } from './support/http/webhook-receiver.ts'
import { countsOf, keepWriting, openCell, restart, urlOf, type Cell } from './support/processes/cells.ts'
import { dataFolder, rollcall, until } from './support/processes/rollcall-process.ts'

const LONG = { timeout: 300_000 }
const SLUG = 'acme'
const BIN = join(import.meta.dirname, '../bin/rollcall.mjs')

/** Runs the move, and does something to it once it has said so much; answers how it ended. */
async function harmed(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  said: string,
  harm: (kill: () => void) => unknown,
): Promise<number | null> {
  const child = spawn(process.execPath, [BIN, ...words], {
    cwd: tmpdir(),
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, LOG_LEVEL: 'fatal', ...environment },
  })
  let err = ''
  let isHarmed = false
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
    if (isHarmed || !err.includes(said)) return
    isHarmed = true
    void harm(() => child.kill('SIGKILL'))
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  expect(err).toContain(said)
  return code
}

/** What the move has open at the database there. */
async function endMovingSessions({ home }: Cell): Promise<void> {
  const client = new pg.Client(inject('superuser'))
  await client.connect()
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = $1 and usename = $2 and xact_start is not null and pid <> pg_backend_pid()`,
    [home.where.database, home.where.user],
  )
  await client.end()
}

test(
  'a move that is killed at each of its stages, with the servers of both cells, is run again: nothing lost, nothing twice',
  LONG,
  async () => {
    const [here, there] = [await openCell(1), await openCell(2)]
    for (const words of [
      ['tenant', 'create', SLUG],
      ['demo', '--tenant', SLUG, '--assets', '50'],
    ])
      expect(await rollcall(words, here.environment)).toMatchObject({ code: 0, err: '' })
    const { id } = await getTenantBySlug(here.home.runtime.system, SLUG)
    const [ctx, after] = [here.home.runtime.contextFor(id), there.home.runtime.contextFor(id)]
    const key = await here.home.key(ctx)
    const hook = await receiver()
    await createEndpoint(ctx, { name: 'all', url: hook.url, events: ['NEW_ASSET'] })
    const before = await countsOf(ctx)
    const keyFile = join(await dataFolder().then((it) => join(it, '..')), 'there.key')
    await writeFile(keyFile, there.secretKey)
    const move = ['tenant', 'move', SLUG, '--to', urlOf(there), '--address', there.server.address]
    const words = [...move, '--wait', '3', '--key-file', keyFile]

    let isMoved = false
    const writing = keepWriting([here, there], key, () => isMoved)
    const run = (said: string, harm: (kill: () => void) => unknown) =>
      harmed(words, here.environment, said, harm)
    expect(await run('copying', (kill) => kill())).toBe(null)
    expect(await run('waiting', (kill) => kill())).toBe(null)
    await restart(here)
    expect(await run('frozen', (kill) => kill())).toBe(null)
    await restart(there)
    // it may have ended by the time its sessions do, and then there is nothing left to kill
    const isOver = (await run('frozen', () => endMovingSessions(there))) === 0
    if (!isOver) await run('arrived', (kill) => kill())
    const last = await rollcall(words, here.environment)
    expect(last.code === 0 || last.err.includes('was moved')).toBe(true)
    await until(() => hook.requests.length > 0)
    isMoved = true
    const { taken } = await writing

    const names = await after.db.all(sql<{ name: string; n: number }>`
      select name, count(*) as n from assets where tenant_id = ${id} and name = any(${taken}::text[]) group by name`)
    expect(names.map(({ name }) => name).toSorted()).toEqual(taken.toSorted())
    expect(names.every(({ n }) => n === 1)).toBe(true)
    expect((await countsOf(after)).software).toBe(before.software)
    expect((await countsOf(after)).assets).toBeGreaterThanOrEqual(before.assets + taken.length)
    await until(
      async () =>
        (
          await after.db.all(
            sql`select from webhook_deliveries where tenant_id = ${id} and status in ('p', 'r')`,
          )
        ).length === 0,
    )
    const told = new Set(hook.requests.map(({ headers }) => String(headers['x-service-event-id'])))
    expect(told.size).toBe((await countsOf(after)).assets - before.assets)
    const audit = await rollcall(['audit', 'verify', '--tenant', SLUG], there.environment)
    expect(audit).toMatchObject({ code: 0 })
  },
)
