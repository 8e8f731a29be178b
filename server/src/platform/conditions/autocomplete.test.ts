import { expect, test } from 'vitest'
import { complete } from './autocomplete.ts'
import { vocabularyWith } from './conditions.fixture.ts'

const vocabulary = vocabularyWith([])
const values = (field: { name: string }) =>
  Promise.resolve(
    field.name === 'os'
      ? [
          { value: 'Debian GNU/Linux 12', count: 7 },
          { value: 'debian', count: 2 },
        ]
      : [],
  )

const suggestionsAt = async (text: string) => {
  const { from, to, suggestions } = await complete(text, vocabulary, values)
  return { replaces: text.slice(from, to), texts: suggestions.map((it) => it.text) }
}

test.each([
  ['', '', ['type', 'os', 'any finding', 'not']],
  ['os_', 'os_', ['os_family', 'os_eol']],
  ['os ', '', ['=', '!=', ':', 'in']],
  ['os : ', '', ['"Debian GNU/Linux 12"', 'debian']],
  ['os = deb', 'deb', ['"Debian GNU/Linux 12"', 'debian']],
  ['os = "deb', '"deb', ['"Debian GNU/Linux 12"', 'debian']],
  ['os in (debian, ', '', ['"Debian GNU/Linux 12"', 'debian']],
  ['disk_encrypted = ', '', ['yes', 'no']],
  ['last_seen > -', '-', ['-1d', '-30d']],
  ['type = device ', '', ['and', 'or']],
  ['type = device and (ow', 'ow', ['owner']],
  ['any ', '', ['finding', 'software']],
  ['any finding (se', 'se', ['severity']],
  ['any finding (kev = ', '', ['yes', 'no']],
  ['has si', 'si', ['site']],
])('after %j', async (text, replaces, texts) => {
  const found = await suggestionsAt(text)
  expect(found.replaces).toBe(replaces)
  expect(found.texts).toEqual(expect.arrayContaining(texts))
})

test('inside of a collection only its own fields are offered', async () => {
  expect((await suggestionsAt('any finding (')).texts).not.toContain('owner')
})

test('a fault before the end has to be mended first', async () => {
  expect((await suggestionsAt('nofield = 1 and ')).texts).toEqual([])
})
