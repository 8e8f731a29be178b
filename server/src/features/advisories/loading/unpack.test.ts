import { buffer } from 'node:stream/consumers'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { unpack } from './unpack.ts'
import { zipOf } from './zip.fixture.ts'

async function* inChunks(bytes: Buffer, size: number): AsyncIterable<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function filesIn(
  packed: Buffer,
  chunkSize = 65_536,
  bytesMax = 1_000_000,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const { name, content } of unpack(
    { name: 'file', content: inChunks(packed, chunkSize) },
    bytesMax,
  )) {
    found[name] = (await buffer(content)).toString()
  }
  return found
}

/** POSIX.1-1988, which every tar writes at heart. */
function tarOf(files: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const header = Buffer.alloc(512)
    header.write(name)
    header.write(text.length.toString(8).padStart(11, '0'), 124)
    header.write('0', 156)
    header.write('ustar', 257)
    return [header, Buffer.from(text), Buffer.alloc((512 - (text.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1_024)])
}

const files = { 'a/1.json': '{"a":1}', 'a/2.json': '{"b":"é"}'.repeat(300) }

test.each([
  ['as it is', Buffer.from('{}'), { file: '{}' }],
  ['gzip', gzipSync('{}'), { file: '{}' }],
  ['gzip in two members', Buffer.concat([gzipSync('{'), gzipSync('}')]), { file: '{}' }],
  ['Zstandard', zstdCompressSync('{}'), { file: '{}' }],
  ['zip', zipOf(files), files],
  ['zip whose sizes stand behind', zipOf(files, { trailed: true }), files],
  ['zip whose sizes stand in the field for large ones', zipOf(files, { large: true }), files],
  ['zip in a zip', zipOf({ 'cves.zip': zipOf(files) }), files],
  [
    'zip in a zip whose sizes stand behind',
    zipOf({ 'cves.zip': zipOf(files, { trailed: true }) }, { trailed: true }),
    files,
  ],
  ['tar in gzip', gzipSync(tarOf({ 'x.json': '{}', 'y.json': '[]' })), { 'x.json': '{}', 'y.json': '[]' }],
  ['tar in Zstandard', zstdCompressSync(tarOf({ 'x.json': '{}' })), { 'x.json': '{}' }],
])('%s, in chunks of any size', async (_, packed, expected) => {
  expect(await filesIn(packed)).toEqual(expected)
  expect(await filesIn(packed, 1)).toEqual(expected)
  expect(await filesIn(packed, 13)).toEqual(expected)
})

test.each([
  ['gzip', gzipSync(Buffer.alloc(2_000_000))],
  ['zip', zipOf({ a: Buffer.alloc(2_000_000) })],
  ['zip whose sizes stand behind', zipOf({ a: Buffer.alloc(2_000_000) }, { trailed: true })],
  ['as it is', Buffer.alloc(2_000_000, 0x20)],
])('%s of more than it may unpack to is refused', async (_, packed) => {
  await expect(filesIn(packed)).rejects.toThrow(/unpacks to more than|packing is broken/)
})

test('archives in archives end somewhere', async () => {
  let packed = zipOf({ 'x.zip': Buffer.from('x') })
  for (let depth = 0; depth < 5; depth++) packed = zipOf({ 'x.zip': packed })
  await expect(filesIn(packed)).rejects.toThrow('too many archives')
})
