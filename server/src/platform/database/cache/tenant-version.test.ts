import { describe, expect, test } from 'vitest'
import { noteStatement, nothingWritten, subjectsChanged, type TenantChange } from './tenant-version.ts'

const change = (number: number, more: Partial<TenantChange> = {}): TenantChange => ({
  number,
  version: `v${number}`,
  isPresent: false,
  isOfAll: false,
  subjectIds: [],
  ...more,
})
const since = { number: 4, version: 'v4' }
const present = { isPresent: true }
const told = { ...present, subjectIds: ['a', 'b'] }

describe('which subjects have to be looked at again', () => {
  test.each([
    ['none where nothing was written', [change(4, present)], []],
    ['those that were told', [change(4), change(5, { subjectIds: ['a'] }), change(6, told)], ['a', 'b']],
    ['none of other tables', [change(4), change(5, present)], []],
    ['all for a whole table', [change(4), change(5, { isOfAll: true, isPresent: true })], undefined],
    ['all for too many', [change(4), change(5, { subjectIds: null, isPresent: true })], undefined],
    ['all for a gap', [change(4), change(6, told)], undefined],
    ['all where the beginning is gone', [change(5, told)], undefined],
    ['all where the same number is another version', [change(4, { ...present, version: 'x' })], undefined],
    ['all where the version was replaced by hand', [change(4), change(5)], undefined],
  ])('%s', (_title, changes, ids) => {
    expect(subjectsChanged(changes, since)).toEqual(ids)
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
