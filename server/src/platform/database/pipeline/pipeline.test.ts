import { sql } from 'kysely'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import type { DatabaseAddress } from '../address.ts'
import { openPipeline } from './pipeline.ts'
import { compile } from '../sql.ts'

/** With what was written to the socket at once. */
async function connected(given?: DatabaseAddress) {
  const where = given ?? (await testApp()).where
  const client = new pg.Client({ ...where, pipeline: true })
  await client.connect()
  const written: Buffer[] = []
  const { stream } = client.connection
  const write = stream.write.bind(stream)
  stream.write = (bytes: Buffer) => {
    written.push(bytes)
    return write(bytes)
  }
  return { client, written, ...openPipeline(client) }
}

const sixBy = (divisor: number) => compile(sql`select 6 / ${divisor}::int as n from generate_series(1, 2)`)
const textsPreparedIn = (written: readonly Buffer[]) => written.join('').match(/select 6 \//g) ?? []

test('statements of one turn are one message, and each has its answer', async () => {
  const { client, written, send } = await connected()
  try {
    const answers = [send({ text: 'begin' }), send(sixBy(1)), send(sixBy(2)), send({ text: 'commit' })]
    const [begun, first, second, committed] = await Promise.all(answers)
    expect(written).toHaveLength(1)
    expect([begun?.command, committed?.command]).toEqual(['BEGIN', 'COMMIT'])
    expect(first).toMatchObject({ rowCount: 2, rows: [{ n: 6 }, { n: 6 }] })
    expect(second?.rows).toEqual([{ n: 3 }, { n: 3 }])
    // the text is sent once: the connection keeps it prepared
    expect((await send(sixBy(3))).rows).toEqual([{ n: 2 }, { n: 2 }])
    expect(textsPreparedIn(written)).toHaveLength(1)
  } finally {
    await client.end()
  }
})

test('those behind one that fails are not done, and the connection goes on', async () => {
  const { client, send } = await connected()
  try {
    await send({ text: 'create temporary table noted (n int)' })
    const note = (n: number) => compile(sql`insert into noted values (${n})`)
    for (let turn = 0; turn < 2; turn++) {
      const answers = [{ text: 'begin' }, note(1), sixBy(0), note(2), { text: 'commit' }].map(send)
      const settled = await Promise.allSettled(answers)
      expect(
        settled.map((it) => (it.status === 'rejected' ? (it.reason as { code: string }).code : '')),
      ).toEqual(['', '', '22012', '22012', '22012'])
      await send({ text: 'rollback' })
    }
    // prepared as the driver believes it to be
    await Promise.all([send(note(3)), send(sixBy(1))])
    expect((await send({ text: 'select n from noted' })).rows).toEqual([{ n: 3 }])
  } finally {
    await client.end()
  }
})

test('an answer that is flushed comes before what follows is done', async () => {
  const [{ client, send }, other] = await Promise.all([connected(), connected()])
  try {
    await other.send({ text: 'select pg_advisory_lock(72)' })
    const flushed = send({ ...sixBy(1), isFlushed: true })
    const locked = send({ text: 'select pg_advisory_lock(72)' })
    expect((await flushed).rowCount).toBe(2)
    await other.send({ text: 'select pg_advisory_unlock(72)' })
    await locked
  } finally {
    await Promise.all([client.end(), other.client.end()])
  }
})

/** A table of the session that refuses a number twice, with the commit. */
const noted = { text: 'create temporary table noted (n int unique deferrable initially deferred)' }
const note = (n: unknown) => compile(sql`insert into noted values (${n}::jsonb::text::int)`)

test('a message that is a transaction is committed at its end, or nothing of it is done', async () => {
  const { client, written, send, asTransaction } = await connected()
  const outcomes = async (all: readonly ReturnType<typeof note>[]) =>
    (await Promise.allSettled([...all.map(send), asTransaction()])).map((it) =>
      it.status === 'rejected' ? (it.reason as { code?: string }).code : '',
    )
  const circle: { self?: unknown } = {}
  circle.self = circle
  try {
    await send(noted)
    written.length = 0
    expect(await outcomes([note(1), note(2)])).toEqual(['', '', ''])
    expect(await outcomes([note(3), sixBy(0), note(4)])).toEqual(['', '22012', '22012', '22012'])
    expect(await outcomes([note(5), note(5)])).toEqual(['', '', '23505'])
    expect(await outcomes([note(6), note(circle), note(7)])).toEqual(Array(4).fill(undefined))
    expect(written).toHaveLength(4)
    expect((await send({ text: 'select n from noted order by n' })).rows).toEqual([{ n: 1 }, { n: 2 }])
    await expect(send({ text: 'rollback' })).resolves.toMatchObject({ command: 'ROLLBACK' })
  } finally {
    await client.end()
  }
})

test('what a transaction answers is told before its commit, which may have to wait', async () => {
  const { where } = await testApp()
  const [{ client, send, asTransaction }, other] = await Promise.all([connected(where), connected(where)])
  const unique = { text: 'create table committed (n int unique deferrable initially deferred)' }
  try {
    await send(unique)
    // whoever commits the same number has to wait for what becomes of it
    await other.send({ text: 'begin' })
    await other.send({ text: 'insert into committed values (1)' })
    const ending = vi.fn<() => void>()
    const answered = send({ text: 'insert into committed values (1)', isFlushed: true })
    const committing = asTransaction().then(ending)
    expect((await answered).rowCount).toBe(1)
    expect(ending).not.toHaveBeenCalled()
    await other.send({ text: 'rollback' })
    await committing
    expect(ending).toHaveBeenCalledOnce()
  } finally {
    await Promise.all([client.end(), other.client.end()])
  }
})

test('what the rows of a prepared statement are like is asked once, and rows of another kind are refused', async () => {
  const { client, written, send } = await connected()
  const asking = compile(sql`select * from noted`)
  try {
    await send(noted)
    await send({ text: 'insert into noted values (7)' })
    written.length = 0
    for (let turn = 0; turn < 2; turn++) expect((await send(asking)).rows).toEqual([{ n: 7 }])
    const describing = 'D\0\0\0\x06P\0'
    expect(written.map((it) => it.includes(describing))).toEqual([true, false])
    await send({ text: `alter table noted add word text default 'seven'` })
    await expect(send(asking)).rejects.toMatchObject({ code: '0A000' })
    expect((await send({ text: asking.text })).rows).toEqual([{ n: 7, word: 'seven' }])
  } finally {
    await client.end()
  }
})

test('what one cursor gives says nothing of another with its name', async () => {
  const { client, send } = await connected()
  const fetching = compile(sql`fetch all from shown`)
  try {
    for (const [query, rows] of [
      ['select 1 as n', [{ n: 1 }]],
      [`select 'one' as word`, [{ word: 'one' }]],
    ] as const) {
      await send({ text: 'begin' })
      await send({ text: `declare shown cursor for ${query}` })
      expect((await send(fetching)).rows).toEqual(rows)
      await send({ text: 'rollback' })
    }
  } finally {
    await client.end()
  }
})

test('a connection that is lost fails all that are not answered', async () => {
  const { client, send } = await connected()
  client.on('error', () => undefined)
  const answers = [sixBy(1), { text: 'select pg_terminate_backend(pg_backend_pid())' }, sixBy(2)].map(send)
  const settled = await Promise.allSettled(answers)
  expect(settled.map((it) => it.status).slice(1)).toEqual(['rejected', 'rejected'])
})

test('values that cannot be sent refuse their statement, and those behind it', async () => {
  const circle: { self?: unknown } = {}
  circle.self = circle
  const asking = (value: unknown) => compile(sql`select ${value}::jsonb as value`)
  const { client, written, send } = await connected()
  try {
    for (let turn = 0; turn < 2; turn++) {
      const [before, refused, behind] = await Promise.allSettled(
        [sixBy(1), asking(circle), sixBy(2)].map(send),
      )
      expect(before?.status).toBe('fulfilled')
      for (const it of [refused, behind])
        expect(String((it as PromiseRejectedResult).reason)).toContain('circular')
    }
    expect((await send(asking({ turn: 1 }))).rows).toEqual([{ value: { turn: 1 } }])
    expect(written).toHaveLength(3)
  } finally {
    await client.end()
  }
})

test('a transaction of one statement leaves nothing in its session, whatever becomes of it', async () => {
  const { runtime } = await testApp()
  const { db } = runtime.system
  const used = (bucket: Buffer) =>
    db.run(sql`insert into rate_windows as w (bucket, ends_at, used) values (${bucket}, now() + interval '1 hour', 1)
      on conflict (bucket) do update set used = w.used + 1`)
  const bucket = Buffer.from('pipeline')
  for (let turn = 1; turn < 4; turn++) {
    expect(await used(bucket)).toBe(1)
    await expect(db.all(sql`select 'x'::text::int as n, ${turn}::int`)).rejects.toMatchObject({
      code: '22P02',
    })
    expect(
      await db.all(sql`select used, current_user::text as role from rate_windows where bucket = ${bucket}`),
    ).toEqual([{ used: turn, role: 'rollcall_system' }])
  }
})
