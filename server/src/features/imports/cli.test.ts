import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CommandInput } from '#platform/cli/command.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function run(file: string, options: CommandInput['options'] = {}) {
  const ctx = await (await testApp()).newTenant()
  return commands[0]!.run(ctx, { args: { file }, options })
}

test('tells what went in and the first of what did not', async () => {
  const path = join(folder, 'list.csv')
  await writeFile(path, `name,note,ipAddress\npc,x,10.0.0.1\n${'pc,x,none\n'.repeat(25)}`)
  const { json, text } = await run(path, { 'ignore-unknown': true })
  expect(json).toMatchObject({ observed: 1, created: 1, updated: 0, unchanged: 0 })
  const lines = text.split('\n')
  expect(lines[0]).toBe('list.csv: 1 taken (1 new, 0 changed, 0 as before), 25 rejected')
  expect(lines[1]).toBe('  line 3, ipAddress: is not an IPv4 or IPv6 address: "none"')
  expect(lines.slice(21)).toEqual(['  and 5 more; --json lists the first 500'])
})

test.each([
  ['missing.csv', {}, 'missing.csv does not exist'],
  ['.', {}, 'is a directory'],
])('%s is refused', async (name, options, why) => {
  await expect(run(join(folder, name), options)).rejects.toThrow(why)
})

test('the format may be said, and is believed', async () => {
  const path = join(folder, 'said.csv')
  await writeFile(path, 'name\npc\n')
  expect(await run(path, { format: 'csv' })).toMatchObject({ json: { created: 1 } })
  await expect(run(path, { format: 'nmap-xml' })).rejects.toThrow('file: is not XML')
  await expect(run(path, { format: 'xls' })).rejects.toThrow('format: is none of csv, nmap-xml')
})
