import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyDatabase, withClient } from '#test/support/database/empty-database.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { migrate, migrationDigests, migrationState } from './migrate.ts'

const FILES = {
  '0002-b.sql': "insert into things values ('b')",
  '0001-a.sql': "create table things (name text); insert into things values ('a')",
  'README.md': 'no migration',
}

async function scene(files: Readonly<Record<string, string>> = FILES) {
  const [where, folder] = [await emptyDatabase(), temporaryFolder()]
  const write = (more: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(more)) writeFileSync(join(folder, name), text)
  }
  write(files)
  const things = () =>
    withClient(where, async (client) => {
      const { rows } = await client.query<{ name: string }>('select name from things order by ctid')
      return rows.map(({ name }) => name).join('')
    })
  return { where, folder, write, things }
}

test('files are applied in the order of their names, each once', async () => {
  const { where, folder, write, things } = await scene()
  expect(await migrationState(where, folder)).toEqual({ applied: [], pending: ['0001-a.sql', '0002-b.sql'] })
  const done = { applied: ['0001-a.sql', '0002-b.sql'], pending: [] }
  expect(await migrate(where, folder)).toEqual(done)
  expect(await migrate(where, folder)).toEqual(done)
  write({ '0003-c.sql': "insert into things values ('c')" })
  expect((await migrationState(where, folder)).pending).toEqual(['0003-c.sql'])
  await Promise.all([migrate(where, folder), migrate(where, folder)])
  expect(await things()).toBe('abc')
})

test('it stops where another database is', async () => {
  const { where, folder, things } = await scene()
  expect(await migrate(where, folder, new Set(['0001-a.sql']))).toEqual({
    applied: ['0001-a.sql'],
    pending: ['0002-b.sql'],
  })
  expect(await things()).toBe('a')
})

test('a file that fails leaves nothing behind, and those before it stay', async () => {
  const { where, folder, write, things } = await scene()
  write({ '0003-c.sql': "insert into things values ('c'); select 1 / 0" })
  await expect(migrate(where, folder)).rejects.toThrow('migration 0003-c.sql failed')
  expect(await things()).toBe('ab')
  expect(await migrationState(where, folder)).toMatchObject({ pending: ['0003-c.sql'] })
})

test('a file that was changed, or is of a newer version, is refused', async () => {
  const { where, folder, write, things } = await scene()
  await migrate(where, folder)
  const older = await scene({ '0001-a.sql': FILES['0001-a.sql'] })
  await expect(migrate(where, older.folder)).rejects.toThrow(/a newer version .* \(0002-b\.sql\)/)
  write({ '0002-b.sql': "insert into things values ('x')", '0003-c.sql': '' })
  for (const ask of [migrate, migrationState])
    await expect(ask(where, folder)).rejects.toThrow('migration 0002-b.sql was changed')
  expect(await things()).toBe('ab')
})

test('a digest of each file is told', async () => {
  const { folder } = await scene()
  const digest = (text: string) => createHash('sha256').update(text).digest('hex')
  expect([...(await migrationDigests(folder))]).toEqual([
    ['0001-a.sql', digest(FILES['0001-a.sql'])],
    ['0002-b.sql', digest(FILES['0002-b.sql'])],
  ])
})
