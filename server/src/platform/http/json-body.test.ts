import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson, readJsonBody } from './json-body.ts'

const MIB = 1_048_576
const json = { 'content-type': 'application/json' }
const refusal = (message: string, status = 400) => expect.objectContaining({ status, message })

async function* inChunks(bytes: Buffer): AsyncIterable<Buffer> {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536)
}

const read = (text: string, headers: Record<string, string> = json) =>
  readJsonBody(headers, inChunks(Buffer.from(text)))

test('what JSON can say comes through unchanged', () => {
  const sound = fc.jsonValue({ maxDepth: 20 }).filter((value) => !JSON.stringify(value).includes('\\u'))
  fc.assert(
    fc.property(sound, (value) => {
      expect(parseJson(Buffer.from(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test.each([
  ['{', 'body: is not valid JSON'],
  ['{"a":1,}', 'body: is not valid JSON'],
  ['NaN', 'body: is not valid JSON'],
  ['{"a":"\\u0000"}', 'a: must not contain the NUL character'],
  ['{"a":[1,{"b":"x\\u0000"}]}', 'a.1.b: must not contain the NUL character'],
  ['{"a":{"x\\u0000":1}}', 'a: must not contain the NUL character'],
  ['"\\u0000"', 'body: must not contain the NUL character'],
  ['{"a":"\\ud800"}', 'a: must not contain half of a surrogate pair'],
  ['{"a":-1e999}', 'a: the number is too large'],
  [`${'['.repeat(65)}1${']'.repeat(65)}`, 'body: is nested more than 64 levels deep'],
  [`${'['.repeat(500_000)}${']'.repeat(500_000)}`, 'body: is nested more than 64 levels deep'],
])('%.30s is refused', (text, message) => {
  expect(() => parseJson(Buffer.from(text))).toThrow(refusal(message))
})

test('64 levels are taken', () => {
  expect(() => parseJson(Buffer.from(`${'['.repeat(64)}1${']'.repeat(64)}`))).not.toThrow()
})

test('a member called __proto__ is data and changes nothing', () => {
  const value = parseJson(Buffer.from('{"__proto__":{"admin":true}}')) as { admin?: boolean }
  expect(value.admin).toBeUndefined()
})

test('bytes that are no UTF-8 are refused, whatever they would decode to', async () => {
  for (const bytes of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
    const body = Buffer.concat([Buffer.from('"'), Buffer.from(bytes), Buffer.from('"')])
    await expect(readJsonBody(json, inChunks(body))).rejects.toEqual(refusal('body: is not valid UTF-8'))
  }
})

test('an empty body is none', async () => {
  expect(await read('')).toBeUndefined()
})

test('the limit is 1 MiB, to the byte', async () => {
  expect(await read(JSON.stringify('x'.repeat(MIB - 2)))).toHaveLength(MIB - 2)
  await expect(read(JSON.stringify('x'.repeat(MIB - 1)))).rejects.toMatchObject({ status: 413 })
})

test('a body without end is given up', async () => {
  let taken = 0
  async function* endless(): AsyncIterable<Buffer> {
    for (;;) {
      taken += MIB
      yield Buffer.alloc(MIB)
    }
  }
  await expect(readJsonBody(json, endless())).rejects.toMatchObject({ status: 413 })
  expect(taken).toBe(17 * MIB)
})

test.each([
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'application/json; charset=utf8',
  'application/json; profile=x',
])('%s is read', async (contentType) => {
  expect(await read('{}', { 'content-type': contentType })).toEqual({})
})

test.each(['iso-8859-1', 'utf-16'])('the charset %s is not', async (charset) => {
  const reading = read('{}', { 'content-type': `application/json; charset=${charset}` })
  await expect(reading).rejects.toMatchObject({ status: 415 })
})

test('a compressed body is not understood', async () => {
  await expect(read('{}', { ...json, 'content-encoding': 'gzip' })).rejects.toMatchObject({ status: 415 })
})
