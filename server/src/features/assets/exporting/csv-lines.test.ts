import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { whileOthersWrite } from '#test/support/app/while-others-write.ts'
import { submit } from '#features/sources/sources.ts'
import { csv, seen } from '../observations.fixture.ts'
import { exportAsCsv } from './csv-export.ts'

const HARD = [
  '',
  'plain',
  'Grüße 🌍',
  'with, comma',
  'with "quotes"',
  'with\nline',
  'with\r\nlines',
  '=1+1',
  '-5',
  '+5, of "them"',
  '@here',
  '\ttab',
  '\rreturn',
  "'=kept",
  '\\r',
  ' =blank',
]
const COLUMNS =
  'name,assetType,ipAddress,macAddress,os,riskScore,lastSeen,tags,deviceType,hostname,serial,vendor,model,confidence,firstSeen'

test('PostgreSQL makes the lines that csvRow makes', async () => {
  const { runtime, newTenant } = await testApp()
  const ctx = await newTenant()
  const { db } = runtime.system
  await submit(
    ctx,
    csv,
    HARD.map((_, n) => seen(String(n), { hostname: `host-${n}` })),
  )
  await db.run(sql`
    with hard as (select text, row_number() over () as n from unnest(${HARD}::text[]) text),
      numbered as (select id, row_number() over (order by id) as n from assets)
    update assets a set name = h.text, os = h.text, hostname = h.text, serial = h.text, vendor = h.text, model = h.text,
      tags = array[h.text, 'x'], risk_score = h.n * 1.25, confidence = h.n / 7.0,
      last_seen = timestamptz '2026-01-02 03:04:05Z' + make_interval(secs => h.n * 0.125)
    from hard h join numbered on numbered.n = h.n where a.id = numbered.id`)
  const lines = async (query?: object) => {
    const { file } = await exportAsCsv(ctx, query, COLUMNS.split(','))
    return typeof file?.content === 'string' ? file.content : ''
  }
  expect(await lines()).toBe(await lines({}))
  expect((await lines()).match(/^[0-9a-f-]{36},/gm)).toHaveLength(HARD.length)
})

test('a file of what is tagged is whole, whatever comes while it is made', async () => {
  const ctx = await (await testApp()).newTenant()
  let n = 0
  const add = () => submit(ctx, csv, [seen(`tagged-${(n += 1)}`, {}, { tags: ['kept'] })])
  await add()
  const { headers } = await exportAsCsv(whileOthersWrite(ctx, add), { tag: 'kept' })
  expect(headers).not.toHaveProperty('x-export-truncated')
})
