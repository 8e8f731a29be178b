import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { columns, about } from '../formats/hostile-report.fixture.ts'
import { writeDataset } from '../dataset/dataset.ts'
import { openDataset } from '../dataset/open-dataset.ts'
import { renderXml } from '../formats/xml.ts'
import { renderInThread } from './render-in-thread.ts'

const MIB = 1_048_576
const ROWS = 30_000

async function largeDataset() {
  const writer = writeDataset()
  await writer.add({ about })
  await writer.add({ section: { name: 'main', title: 'Main', isMain: true, columns } })
  for (let n = 0; n < ROWS; n += 1)
    await writer.add({ row: [`row ${n}`, n, `${n}.10`, '2026-11-20T10:00:00Z', null, true] })
  const { content, digest } = await writer.end()
  return { dataset: new Uint8Array(content), digest: digest.toString('hex') }
}

test('a large file comes in pieces of 1 MiB through one buffer, and is what the renderer writes', async () => {
  const { dataset, digest } = await largeDataset()
  const direct = createHash('sha256')
  for await (const text of renderXml(await openDataset(new Uint8Array(dataset), digest))) direct.update(text)
  const pieced = createHash('sha256')
  const lengths: number[] = []
  let before: Uint8Array | undefined
  for await (const piece of renderInThread({ format: 'xml', dataset, digest })) {
    // handed back to be filled again: the main thread never holds two
    expect(before?.length ?? 0).toBe(0)
    lengths.push(piece.length)
    pieced.update(piece)
    before = piece
  }
  expect(pieced.digest('hex')).toBe(direct.digest('hex'))
  expect(lengths.length).toBeGreaterThan(3)
  expect(lengths.slice(0, -1).every((it) => it === MIB)).toBe(true)
  expect(lengths.at(-1)).toBeLessThanOrEqual(MIB)
  // the dataset was handed over, not copied
  expect(dataset.length).toBe(0)
})

test('what a caller does with a piece does not reach the file', async () => {
  const { dataset, digest } = await largeDataset()
  const expected = createHash('sha256')
  for await (const text of renderXml(await openDataset(new Uint8Array(dataset), digest)))
    expected.update(text)
  const pieced = createHash('sha256')
  for await (const piece of renderInThread({ format: 'xml', dataset, digest })) {
    pieced.update(piece)
    piece.fill(0)
  }
  expect(pieced.digest('hex')).toBe(expected.digest('hex'))
})

test('a caller that stops ends the thread', async () => {
  const { dataset, digest } = await largeDataset()
  for await (const piece of renderInThread({ format: 'xml', dataset, digest })) {
    expect(piece.length).toBe(MIB)
    break
  }
})
