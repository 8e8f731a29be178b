import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'

async function scene() {
  const { system } = (await testApp()).runtime
  const folder = await mkdtemp(join(tmpdir(), 'feeds-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  const run = async (
    path: string,
    args: Record<string, string> = {},
    options: Record<string, string | true> = {},
  ) => {
    const command = commands.find((it) => it.path === path)
    if (!command) throw new Error(`no command ${path}`)
    return (await command.run(system, { args, options })).text
  }
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }
  return { run, file }
}

test('a file by hand, and what became of it', async () => {
  const { run, file } = await scene()
  const kev = await file(
    'kev.json',
    '{"vulnerabilities":[{"cveID":"CVE-2024-0001","dateAdded":"2024-02-03"}]}',
  )
  expect(await run('feeds load', { name: 'kev', file: kev })).toBe(
    'kev.json: 1 records, 1 changed, 0 removed',
  )
  const page = await file('nvdcve-2.0-2024.json', '{"vulnerabilities":[{"cve":{"id":"CVE-2024-0001"}}]}')
  await run('feeds load', { name: 'nvd', file: page })
  const status = await run('feeds status')
  expect(status).toMatch(/^nvd +off +0 min old +1 records$/m)
  expect(status).toMatch(/^osv +off +never +0 records$/m)
  expect(status).toContain('uses data from the NVD API but is not endorsed or certified by the NVD')
})

test('what cannot be taken is named', async () => {
  const { run, file } = await scene()
  const broken = await file('x.json', '{"vulnerabilities":[{"cveID":"CVE-2024-0001"}]}')
  await expect(run('feeds load', { name: 'kev', file: broken })).rejects.toThrow(
    'file: x.json: CVE-2024-0001 has no dateAdded',
  )
  await expect(run('feeds load', { name: 'kev', file: '/nowhere' })).rejects.toThrow(
    '/nowhere cannot be read (ENOENT)',
  )
  await expect(run('feeds load', { name: 'nope', file: broken })).rejects.toThrow('feed not found')
  await expect(run('feeds sync', { name: 'ubuntu-vex' })).rejects.toThrow(
    'cannot be fetched as it is published',
  )
  await expect(run('feeds set', { name: 'kev' }, { mirror: 'file:///etc' })).rejects.toThrow(
    'mirror: must be',
  )
})

test('a feed is turned on, off, and given a mirror and a key', async () => {
  const { run, file } = await scene()
  expect(await run('feeds enable', { name: 'kev' })).toMatch(/^kev +on +never/)
  expect(await run('feeds disable', { name: 'kev' })).toMatch(/^kev +off/)
  const key = await file('key', 'secret\n')
  expect(
    await run('feeds set', { name: 'nvd' }, { mirror: 'https://mirror.example', 'key-file': key }),
  ).toMatch(/^nvd +off/)
})
