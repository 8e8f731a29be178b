import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { arrayOf, copyIn } from './copy-rows.ts'

test('what is copied arrives as it was', async () => {
  const client = new pg.Client(inject('superuser'))
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('create temp table copied (a text, b text[], c bytea)')
  const texts = ['tab\t, line\n, return\r, backslash \\, \\N, quote "', '', 'é 漢']
  await copyIn(client, {
    table: 'copied',
    rows: texts.map((a) => ({ a, b: arrayOf([a, 'x']), c: '\\x00ff' })),
  })
  await copyIn(client, { table: 'copied', rows: [{ c: null, a: null }] })
  const { rows } = await client.query('select * from copied')
  expect(rows).toEqual([
    ...texts.map((a) => ({ a, b: [a, 'x'], c: Buffer.from([0, 255]) })),
    { a: null, b: null, c: null },
  ])
})

test('a COPY that the server refuses is refused here', async () => {
  const client = new pg.Client(inject('superuser'))
  await client.connect()
  onTestFinished(() => client.end())
  await expect(copyIn(client, { table: 'no_such_table', rows: [{ a: 'x' }] })).rejects.toThrow(
    'no_such_table',
  )
  await client.query('create temp table counted (a integer)')
  await expect(copyIn(client, { table: 'counted', rows: [{ a: 'x' }] })).rejects.toThrow('integer')
})
