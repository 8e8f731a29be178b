import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'

test('values come as the code reads them: whole numbers as numbers, instants and days as RFC 3339 texts', async () => {
  const { db } = (await testApp()).runtime.system
  const row = await db.one(sql<Record<string, unknown>>`
    select count(*) as count, 9007199254740991::bigint as large, array[1, 20]::bigint[] as list, '{}'::bigint[] as none,
      '2026-11-21 10:30:00.25+01'::timestamptz as instant, '2026-02-28'::date as day, 7 as small, null::bigint as nothing`)
  expect(row).toEqual({
    count: 1,
    large: Number.MAX_SAFE_INTEGER,
    list: [1, 20],
    none: [],
    instant: '2026-11-21T09:30:00.25Z',
    day: '2026-02-28',
    small: 7,
    nothing: null,
  })
})
