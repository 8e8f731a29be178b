import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

/** As the `tar` of this system writes it. */
function tarOf(contents: Readonly<Record<string, string>>): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-tar-'))
  try {
    for (const [name, text] of Object.entries(contents)) writeFileSync(join(folder, name), text)
    return execFileSync('tar', ['-c', '-C', folder, ...Object.keys(contents)])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const LONG = `${'long'.repeat(40)}.json`
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
  ['tar with a long name', tarOf({ [LONG]: '{}' }), { [LONG]: '{}' }],
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
