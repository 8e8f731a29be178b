import { expect, test } from 'vitest'
import { jsonDocuments, jsonItems } from './json-items.ts'
import { JsonFault } from './json-stream-parser.ts'

/** In chunks of every size, so that each byte is once the last of a chunk. */
const sizes = [1, 2, 3, 5, 8, 100]
async function* inChunks(text: string, size: number): AsyncIterable<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function itemsOf(text: string, path: readonly string[], size = 100): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const { number, key, value } of jsonItems(inChunks(text, size), path))
    found.push(key === undefined ? [number, value] : [number, key, value])
  return found
}

const NESTED = '{"other": {"rows": [0]}, "a": {"b": [1, "two]", {"c": "\\"}"}, [3]], "more": 1}} '

test.each(sizes)('the items of the array or object that the path leads to, in chunks of %i', async (size) => {
  expect(await itemsOf(NESTED, ['a', 'b'], size)).toEqual([
    [1, 1],
    [2, 'two]'],
    [3, { c: '"}' }],
    [4, [3]],
  ])
  expect(await itemsOf('{"x": 1, "ü": [2]}', [], size)).toEqual([
    [1, 'x', 1],
    [2, 'ü', [2]],
  ])
  expect(await itemsOf('[]', [], size)).toEqual([])
})

test.each([
  ['[1, 2', []],
  ['{"a": [1, 2]', ['a']],
  ['{"a": [1', ['a']],
  ['', []],
  ['{"b": [1]}', ['a']],
])('%j ends before what is asked for does', async (text, path) => {
  for (const size of sizes) await expect(itemsOf(text, path, size)).rejects.toThrow(JsonFault)
})

test('documents stand one after another, and the last one is whole', async () => {
  const documentsOf = async (text: string, size: number) => {
    const found: unknown[] = []
    for await (const { value } of jsonDocuments(inChunks(text, size))) found.push(value)
    return found
  }
  for (const size of sizes) {
    expect(await documentsOf('{"a": 1}\n[2]\n{"c": {}}', size)).toEqual([{ a: 1 }, [2], { c: {} }])
    await expect(documentsOf('{"a": 1}\n[2', size)).rejects.toThrow(JsonFault)
  }
})
