import { describe, expect, test } from 'vitest'
import { noteStatement, nothingWritten, subjectsChanged, type TenantChange } from './tenant-version.ts'

const change = (number: number, more: Partial<TenantChange> = {}): TenantChange => ({
  number,
  version: `v${number}`,
  tables: [],
  subjectTables: [],
  subjectIds: [],
  ...more,
})
const since = { number: 4, version: 'v4' }
const names = new Set(['assets', 'findings'])
const told = { subjectTables: ['assets'], subjectIds: ['a', 'b'] }

describe('which subjects have to be looked at again', () => {
  test.each([
    ['none where nothing was written', [change(4)], []],
    ['those of tables that the question names', [change(4), change(5, told), change(6, told)], ['a', 'b']],
    ['not those of other tables', [change(4), change(5, { ...told, subjectTables: ['places'] })], []],
    ['not for other whole tables', [change(4), change(5, { tables: ['audit_entries'] })], []],
    ['all for a whole table', [change(4), change(5, { tables: ['findings'] })], undefined],
    ['all for any table', [change(4), change(5, { tables: ['*'] })], undefined],
    ['all for a gap', [change(4), change(6, told)], undefined],
    ['all where the beginning is gone', [change(5, told)], undefined],
    ['all where the same number is another version', [change(4, { version: 'x' })], undefined],
  ])('%s', (_title, changes, ids) => {
    expect(subjectsChanged(changes, since, names)).toEqual(ids)
  })
})

test('a statement says which tables it writes, and of which subjects the rows are', () => {
  const written = nothingWritten()
  noteStatement(
    written,
    'with gone as (delete from only assets a returning id) insert into "places" select 1',
  )
  noteStatement(written, 'update findings set a = 1 on conflict (b) do update set c = 2', ['a'])
  noteStatement(written, 'select x from vulnerabilities for no key update')
  expect([...written.tables]).toEqual(['assets', 'places'])
  expect([...written.subjectTables]).toEqual(['findings'])
  expect([...written.subjectIds]).toEqual(['a'])
})
