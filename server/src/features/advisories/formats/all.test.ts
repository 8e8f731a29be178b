import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FeedError } from '../feeds/feed-error.ts'
import { upstreams } from '../upstreams/all.ts'
import { stagedRow } from '../loading/staged-rows.ts'
import { unpack } from '../loading/unpack.ts'
import { formats, type FeedName } from './all.ts'
import type { Entry } from './format.ts'
import { samples } from './samples.fixture.ts'

async function* inChunks(bytes: Buffer, size: number): AsyncIterable<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(feed: FeedName, file: string | Buffer, chunkSize = 65_536): Promise<Entry[]> {
  const found: Entry[] = []
  const packed = { name: samples[feed].name, content: inChunks(Buffer.from(file), chunkSize) }
  for await (const each of unpack(packed))
    for await (const entry of formats[feed].read(each)) found.push(entry)
  return found
}

const outcomeOf = (reading: Promise<Entry[]>): Promise<unknown> => reading.catch((error: unknown) => error)

const names = Object.keys(formats) as FeedName[]

test('every feed has an origin with an attribution', () => {
  expect(Object.keys(upstreams).toSorted()).toEqual(names.toSorted())
  for (const [name, it] of Object.entries(upstreams)) {
    expect([it.name, it.attribution !== '', it.base?.startsWith('https://') ?? true]).toEqual([
      name,
      true,
      true,
    ])
  }
})

describe.each(names)('%s', (feed) => {
  const { text, entries } = samples[feed]

  test('a file reads the same in chunks of any size, with a byte order mark or without one', async () => {
    const whole = await read(feed, text)
    expect(whole).toHaveLength(entries)
    expect(await read(feed, text, 1)).toEqual(whole)
    expect(await read(feed, `\ufeff${text}`, 7)).toEqual(whole)
  })

  test('what it says can be kept, each under its own key', async () => {
    const rows = (await read(feed, text)).map(stagedRow)
    expect(new Set(rows.map((it) => it.key)).size).toBe(entries)
    for (const { json } of rows) expect(JSON.parse(json)).toBeTypeOf('object')
  })

  test('an empty file is refused', async () => {
    await expect(read(feed, '')).rejects.toThrow(FeedError)
  })

  test('bytes of any kind are read or refused, and never anything else', async () => {
    const noise = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.tuple(fc.nat(text.length), fc.string(), fc.nat(20)).map(([at, more, less]) => {
        return Buffer.from(text.slice(0, at) + more + text.slice(at + less))
      }),
      fc.json({ maxDepth: 4 }).map((it) => Buffer.from(it)),
    )
    await fc.assert(
      fc.asyncProperty(noise, async (file) => {
        const outcome = await outcomeOf(read(feed, file, 64))
        expect(Array.isArray(outcome) || outcome instanceof FeedError).toBe(true)
      }),
    )
  })
})

test.each(names.filter((it) => !samples[it].hasNoEnd))(
  '%s: a file that is cut off anywhere is refused',
  async (feed) => {
    const { text } = samples[feed]
    for (let end = 1; end < text.trimEnd().length; end++)
      expect([end, await outcomeOf(read(feed, text.slice(0, end)))]).toEqual([end, expect.any(FeedError)])
  },
)

test.each(names.filter((it) => samples[it].name.endsWith('.json')))(
  '%s: values of other kinds than they should be are read or refused, and never anything else',
  async (feed) => {
    const { text } = samples[feed]
    const values = fc.constantFrom<unknown>(
      null,
      0,
      -1,
      Number.MAX_VALUE,
      '',
      'x'.repeat(600),
      [],
      {},
      [null],
      { __proto__: 1 },
      true,
    )
    const paths = fc.tuple(fc.nat(200), values)
    await fc.assert(
      fc.asyncProperty(paths, async ([at, value]) => {
        const file = JSON.stringify(withValue(JSON.parse(text), at, value))
        const outcome = await outcomeOf(read(feed, file).then((them) => them.map(stagedRow) as never))
        expect(Array.isArray(outcome) || outcome instanceof FeedError).toBe(true)
      }),
    )
  },
)

/** The value of some place in the document, counted in its order, is another. */
function withValue(document: unknown, at: number, value: unknown): unknown {
  let left = at
  const visit = (it: unknown): unknown => {
    if (left-- === 0) return value
    if (Array.isArray(it)) return it.map(visit)
    if (typeof it !== 'object' || it === null) return it
    return Object.fromEntries(Object.entries(it).map(([key, each]) => [key, visit(each)]))
  }
  return visit(document)
}
