import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { expect, test, vi } from 'vitest'
import { columns, about } from '../formats/hostile-report.fixture.ts'
import { writeDataset } from '../dataset/dataset.ts'
import { openDataset } from '../dataset/open-dataset.ts'
import { renderXml } from '../formats/xml.ts'
import { renderFile } from './render-file.ts'

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

test('a large file comes in pieces of 1 MiB, all in one buffer, and is what the renderer writes', async () => {
  const { dataset, digest } = await largeDataset()
  const direct = createHash('sha256')
  for await (const text of renderXml(await openDataset(dataset, digest))) direct.update(text)
  const pieced = createHash('sha256')
  const lengths: number[] = []
  const buffers = new Set<ArrayBufferLike>()
  for await (const piece of renderFile({ format: 'xml', dataset, digest })) {
    buffers.add(piece.buffer)
    lengths.push(piece.length)
    pieced.update(piece)
    // what a caller does with it does not reach the file
    piece.fill(0)
  }
  expect(pieced.digest('hex')).toBe(direct.digest('hex'))
  expect(buffers.size).toBe(1)
  expect(lengths.length).toBeGreaterThan(3)
  expect(lengths.slice(0, -1).every((it) => it === MIB)).toBe(true)
  expect(lengths.at(-1)).toBeLessThanOrEqual(MIB)
})

test('the process gives way to the server, and ends with a caller that stops', async () => {
  const { dataset, digest } = await largeDataset()
  let process = 0
  for await (const piece of renderFile({ format: 'xml', dataset, digest })) {
    expect(piece.length).toBe(MIB)
    process = renderers()[0] ?? 0
    expect(getPriority(process)).toBeGreaterThan(getPriority())
    break
  }
  expect(process).toBeGreaterThan(0)
  await vi.waitUntil(() => renderers().length === 0)
})

test('a signal ends the process and the reading, with its reason', async () => {
  const { dataset, digest } = await largeDataset()
  const controller = new AbortController()
  const reason = new Error('cancelled')
  const read = async () => {
    for await (const piece of renderFile({ format: 'xml', dataset, digest }, { signal: controller.signal }))
      if (piece.length === MIB) controller.abort(reason)
  }
  await expect(read()).rejects.toBe(reason)
  await expect(read()).rejects.toBe(reason)
  await vi.waitUntil(() => renderers().length === 0)
})

test('what is no dataset is an error that says where the process failed, not an empty file', async () => {
  const read = async () => {
    for await (const _ of renderFile({ format: 'csv', dataset: Buffer.from('no dataset'), digest: '' }))
      continue
  }
  await expect(read()).rejects.toThrow(/ended with 1: .*incorrect header check/s)
})

test('a font that is gone is a refusal that people read', async () => {
  const writer = writeDataset()
  await writer.add({ about: { ...about, fonts: [{ name: 'gone.ttf', digest: 'a'.repeat(64) }] } })
  await writer.add({ section: { name: 'main', title: 'Main', isMain: true, columns } })
  await writer.add({ row: ['漢', null, null, null, null, null] })
  const { content, digest } = await writer.end()
  const read = async () => {
    for await (const _ of renderFile({ format: 'pdf', dataset: content, digest: digest.toString('hex') }))
      continue
  }
  await expect(read()).rejects.toThrow(
    expect.objectContaining({
      code: 'report_failed',
      message: expect.stringMatching(/^the font gone.ttf, /),
    }),
  )
})

test('a file that needs more memory than it may have is refused', async () => {
  const order = { format: 'pdf', ...(await largeDataset()) } as const
  const read = async () => {
    for await (const _ of renderFile(order, { heapMegabytes: 10 })) continue
  }
  await expect(read()).rejects.toThrow(
    expect.objectContaining({
      code: 'report_too_large',
      message: expect.stringContaining('choose fewer assets'),
    }),
  )
})

/** Processes that this one has started to make files. */
function renderers(): number[] {
  return readdirSync('/proc/self/task')
    .flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' '))
    .map(Number)
    .filter((it) => it > 0 && readFileSync(`/proc/${it}/cmdline`, 'utf8').includes('render-process.ts'))
}
