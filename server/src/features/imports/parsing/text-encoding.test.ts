import { expect, test } from 'vitest'
import { asUtf8 } from './text-encoding.ts'

async function text(bytes: Buffer, chunkSize = 3): Promise<string> {
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize)
  }
  const found: Buffer[] = []
  for await (const chunk of (await asUtf8(chunks())).content) found.push(chunk)
  return Buffer.concat(found).toString()
}
const table = 'name;tags\nBüro-PC;größe\n'
const long = `name\n${'ascii\n'.repeat(3_000)}Büro\n`

test.each([
  ['UTF-8', Buffer.from(table), table],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${table}`), table],
  ['UTF-16LE with a mark', Buffer.from(`\ufeff${table}`, 'utf16le'), table],
  ['UTF-16LE without', Buffer.from(table, 'utf16le'), table],
  ['UTF-16BE without', Buffer.from(table, 'utf16le').swap16(), table],
  ['Windows-1252', Buffer.from(table, 'latin1'), table],
  ['Windows-1252, its own signs', Buffer.from([0x80, 0x20, 0x96]), '€ –'],
  ['Windows-1252 far into the file', Buffer.from(long, 'latin1'), long],
  ['UTF-8 far into the file', Buffer.from(long), long],
])('issue 9: %s', async (_, bytes, expected) => {
  expect(await text(bytes)).toBe(expected)
  expect(await text(bytes, 65_536)).toBe(expected)
})

test('one spoilt byte among UTF-8 does not make it another encoding', async () => {
  expect(await text(Buffer.concat([Buffer.from('é'), Buffer.from([0xff])]))).toBe('é\ufffd')
})
