import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '../src/platform/database/migrate.ts'
import { MIGRATIONS } from '../src/startup/migrations.ts'
import { emptyDatabase, withClient } from './support/database/empty-database.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

test('records that were read before stay with their file, and files whose records may be in others are read again', async () => {
  const where = await emptyDatabase()
  const folder = temporaryFolder()
  for (const name of readdirSync(MIGRATIONS).filter((it) => it < '0281'))
    cpSync(join(MIGRATIONS, name), join(folder, name))
  await migrate(where, folder)
  await withClient(where, async (client) => {
    await client.query(`
      insert into advisory_parts (feed, part, etag, position, records, synced_at) values
        ('osv', 'npm', 'a', '2026', 7, now()), ('osv', 'loaded', null, null, 0, now()), ('nvd', '2024', 'b', null, 5, now());
      insert into advisories (feed, key, id, part, digest, state, is_disputed, cve_ids, body)
        select feed, part, part, part, '', 'published', false, '{}', '{}' from advisory_parts`)
  })
  await migrate(where, MIGRATIONS)
  const found = await withClient(where, (client) =>
    client.query(`
      select a.feed, a.key, a.parts, p.etag, p.position from advisories a
      join advisory_parts p on p.feed = a.feed and p.part = a.key order by a.feed, a.key`),
  )
  expect(found.rows).toEqual([
    { feed: 'nvd', key: '2024', parts: ['2024'], etag: 'b', position: null },
    { feed: 'osv', key: 'loaded', parts: [], etag: null, position: null },
    { feed: 'osv', key: 'npm', parts: ['npm'], etag: null, position: null },
  ])
})
