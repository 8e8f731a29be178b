import { expect, test } from 'vitest'
import { about, columns } from '../formats/hostile-report.fixture.ts'
import { writeDataset, type Row } from './dataset.ts'
import { openDataset } from './open-dataset.ts'

const SECTIONS = 12
const ROWS = 700

/** Sections of rows that hold what looks like the head of one. */
async function dataset() {
  const writer = writeDataset()
  await writer.add({ about })
  for (let section = 0; section < SECTIONS; section += 1) {
    // heads of all lengths, so that ends of chunks fall into some of them
    const note = 'ü'.repeat(section * 700)
    await writer.add({ section: { name: `part-${section}`, title: 'Part', note, columns } })
    for (let n = 0; n < ROWS; n += 1)
      await writer.add({ row: [`${section}.${n}\n{"section":{"name":"part-3"}}`, n, null, null, null, true] })
  }
  return (await writer.end()).content
}

test('a section is read beside the others, wherever its head is', async () => {
  const open = await openDataset(await dataset(), 'ab')
  for (const section of [11, 3, 0, 7]) {
    const found = await open.section(`part-${section}`)
    expect(found?.head.note?.length).toBe(section * 700)
    const rows: Row[] = []
    for await (const batch of found?.rows ?? []) rows.push(...batch)
    expect(rows.length).toBe(ROWS)
    expect(rows.map(([, n]) => n)).toEqual(rows.map((_, n) => n))
    expect(rows.every(([text]) => String(text).startsWith(`${section}.`))).toBe(true)
  }
  expect(await open.section('part-12')).toBe(undefined)
})
