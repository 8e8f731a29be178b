import { expect, test } from 'vitest'
import { compare } from './compare.ts'
import { findTexts } from './find-texts.ts'
import { LANGUAGES } from './languages.ts'
import { readCatalogue, translateSource } from './translate.ts'

test.each(LANGUAGES)(
  '%s has every text of the sources, nothing in vain, and the same placeholders',
  (language) => {
    const { missing, unused, different } = compare(readCatalogue(language))
    expect({ missing: [...missing], unused, different }).toEqual({ missing: [], unused: [], different: [] })
  },
)

const textsOf = (code: string): readonly string[] => findTexts(code, 'features/x.tsx').map(({ text }) => text)

test.each([
  ['const a = <p>Read it</p>', ['Read it']],
  ['const a = <p>\n  Read it\n  now\n</p>', ['Read it now']],
  ['const a = <p>Read <b>the page</b> {name} first</p>', ['Read <0>the page</0> {name} first']],
  ['const a = <p>{count(run.total)} of {count(total)}</p>', ['{total} of {total2}']],
  ['const a = <Button><Icon /> Save</Button>', ['Save']],
  ['const a = <p><Time at={at} /> by whom</p>', ['by whom']],
  ['const a = <p>Seen <Time at={at} /> again</p>', ['Seen <0/> again']],
  ['const a = <div>Above<p>Within</p>Below</div>', ['Above', 'Within', 'Below']],
  ['const a = <p>{isOpen ? "open" : "closed"}</p>', ['open', 'closed']],
  ['const a = <A title="off" className="Some name" to="/x" />', ['off']],
  ['const a = `${name} was deleted`', ['{name} was deleted']],
  ['const a = `/files/${id}`', []],
  ['const a = { label: "off", tone: "off", title: `About ${x.name}` }', ['off', 'About {name}']],
  ['const a = status === "Something else" ? 1 : 2', []],
  ['const a = many(n, "asset")', ['asset / assets']],
  ['const a = many(n, "entry", "entries")', ['entry / entries']],
  ['const a: "Some type" = b as "Some type"', []],
  ['import x from "Some where"', []],
])('the texts of %s are %j', (code, texts) => {
  expect(textsOf(code)).toEqual(texts)
})

const texts = {
  'Read <0>the page</0>, {name}': '{name}, lies <0>die „Seite“</0>',
  'the page': 'die Seite',
  'Delete {name}?': '{name} `löschen`?',
  asset: 'Asset',
  'asset / assets': 'Asset / Assets',
  Open: 'Öffnen',
  'Open @ features/findings': 'Offen',
  by: 'von',
}
const german = (code: string, file = 'features/x.tsx') => translateSource(code, file, { texts, words: {} })

test.each([
  [
    'const a = <p>\n  Read <b title="Open">the page</b>, {name}\n</p>',
    'const a = <p>{name}{", lies "}<b title={"Öffnen"}>{"die „Seite“"}</b>\n</p>',
  ],
  ['const a = `Delete ${`Open`}${name}?`', 'const a = `Delete ${`Öffnen`}${name}?`'],
  ['const a = `Delete ${x.name}?`', 'const a = `${x.name} \\`löschen\\`?`'],
  ['const a = many(n, "asset")', 'const a = many(n, "Asset", "Assets")'],
  ['const a = <p>{x} by {y}</p>', 'const a = <p>{x} by {y}</p>'],
  ['const a = <A label="Open" />', 'const a = <A label={"Öffnen"} />'],
  // addresses name lists and columns in every language alike
  ['const a = <DataTable label="Open" />', 'const a = <DataTable label={"Öffnen"} name="open" />'],
  ['const a = <DataTable name="x" label="Open" />', 'const a = <DataTable name="x" label={"Öffnen"} />'],
  ['const a = { title: "Open", sortBy: b }', 'const a = { title: "Öffnen", name: "open", sortBy: b }'],
  ['const a = useOffset("Open")', 'const a = useOffset("Open")'],
])('%s becomes %s', (code, translated) => {
  expect(german(code)).toBe(translated)
})

test('a text has another translation where a folder needs one', () => {
  expect(german('const a = { label: "Open" }', 'features/findings/list.ts')).toBe(
    'const a = { label: "Offen" }',
  )
  expect(german('const a = { label: "Open" }', 'features/findings-of/list.ts')).toBe(
    'const a = { label: "Öffnen" }',
  )
})
