import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { openFlights } from './flight.ts'
import { compile } from '../sql.ts'

const reading = { writes: false }

test('a statement is sent with its transaction once the connection has prepared it, and fails alone', async () => {
  const { where, runtime } = await testApp()
  const client = new pg.Client({ ...where, pipeline: true })
  await client.connect()
  try {
    const flights = openFlights('rollcall_app')
    await flights.prepare(client)
    const begin = { text: '', unprepared: `set local app.tenant = '${runtime.system.tenantId}'` }
    const of = (divisor: number) =>
      compile(sql`select 6 / ${divisor}::int as n, current_user::text as role,
        current_setting('app.tenant') as tenant, pg_backend_pid() as pid from generate_series(1, 2)`)
    const start = (divisor: number) => flights.start(client, begin, { query: of(divisor), ...reading })
    expect(start(1)).toBeUndefined()
    await client.query(of(1)).catch(() => undefined)
    await client.query(`set app.tenant = 'none'`)
    await client.query(of(1))

    const flight = start(2)
    await flight?.begun
    const { rows, rowCount } = (await flight?.answered) ?? {}
    await flight?.ended
    expect(rowCount).toBe(2)
    const row = {
      n: 3,
      role: 'rollcall_app',
      tenant: runtime.system.tenantId,
      pid: expect.any(Number) as number,
    }
    expect(rows).toEqual([row, row])

    await expect(start(0)?.answered).rejects.toMatchObject({ code: '22012' })
    expect(await start(3)?.answered).toMatchObject({ rows: [{ n: 2 }, { n: 2 }] })
    // nothing of a transaction is left in the session
    const { rows: after } = await client.query(
      `select current_user <> 'rollcall_app' as "isItself", current_setting('app.tenant') as tenant,
        now() = statement_timestamp() as "isOutside"`,
    )
    expect(after).toEqual([{ isItself: true, tenant: 'none', isOutside: true }])
  } finally {
    await client.end()
  }
})

test('values that cannot be sent refuse their statement alone', async () => {
  const { runtime } = await testApp()
  const { db } = runtime.system
  const asking = (value: unknown) => db.all(sql`select ${value}::jsonb as value`)
  const circle: { self?: unknown } = {}
  circle.self = circle
  for (let turn = 0; turn < 3; turn++) {
    expect(await asking({ turn })).toEqual([{ value: { turn } }])
    await expect(asking(circle)).rejects.toThrow('circular')
    await expect(db.all(sql`select ${'x'}::text::int as n, ${turn}::int`)).rejects.toMatchObject({
      code: '22P02',
    })
  }
})

test('what writes is there with the answer, and rows are counted', async () => {
  const { runtime } = await testApp()
  const { db } = runtime.system
  const bucket = Buffer.from('flight')
  const count = () =>
    db.run(sql`insert into rate_windows as w (bucket, ends_at, used) values (${bucket}, now() + interval '1 hour', 1)
      on conflict (bucket) do update set used = w.used + 1`)
  for (let turn = 1; turn < 4; turn++) {
    expect(await count()).toBe(1)
    expect(await db.all(sql`select used from rate_windows where bucket = ${bucket}`)).toEqual([
      { used: turn },
    ])
  }
})
