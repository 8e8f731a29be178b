import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { commands } from '../cli.ts'
import { wanted } from '../credentials.fixture.ts'
import { createCredential, lendTo } from '../credentials.ts'
import type { HostKey } from '../host-keys/host-key.ts'

const home = sharedTestApp()
const FINGERPRINT = `SHA256:${'A'.repeat(43)}`
const OTHER = `SHA256:${'B'.repeat(43)}`

interface Call {
  readonly args?: Readonly<Record<string, string>>
  readonly options?: Readonly<Record<string, string | true>>
}

async function run<T = { id: string }>(ctx: Ctx, path: string, { args = {}, options = {} }: Call = {}) {
  const command = commands.find((it) => it.path === path)
  if (!command) throw new Error(`no command ${path}`)
  const result: CommandResult = await command.run(ctx, { args, options })
  return { ...result, json: result.json as T }
}

/** A host that is met by a scan with the credential, which asks; without one nobody is asked. */
async function meet(ctx: Ctx, host: HostKey, credential = { id: 'none' }): Promise<string> {
  const scan = lendTo(ctx, { scanId: randomUUID(), targetId: null, startedBy: null, covers: () => true })
  await scan.credentialsFor(host.address, ['ssh_password'])
  const verdict = await scan.knowHostKey(host, credential)
  await scan.close()
  return verdict
}

const hostOf = (address: string): HostKey => ({
  address,
  port: 22,
  algorithm: 'ssh-ed25519',
  fingerprint: FINGERPRINT,
})

test('a key that is known before is added, told and forgotten', async () => {
  const ctx = await home().newTenant()
  const args = { address: '10.0.0.5', fingerprint: FINGERPRINT }
  const added = await run(ctx, 'hostkey add', { args })
  const { id } = added.json
  expect(added.json).toEqual({
    id,
    address: '10.0.0.5',
    port: 22,
    algorithm: 'ssh-ed25519',
    fingerprint: FINGERPRINT,
    trust: 'known',
    scan_id: null,
    first_seen_at: expect.any(String) as string,
    last_seen_at: expect.any(String) as string,
    offered: null,
  })
  expect(added.text).toBe(`${id}  10.0.0.5 port 22  ssh-ed25519 ${FINGERPRINT}`)
  const options = { port: '8006', algorithm: 'tls' }
  const tls = await run(ctx, 'hostkey add', { args, options })
  expect(tls.json).toMatchObject({ port: 8_006, algorithm: 'tls' })
  expect((await run(ctx, 'hostkey list', { options: { limit: '1' } })).json).toHaveLength(1)
  expect((await run(ctx, 'hostkey list', { options: { offset: '1' } })).json).toHaveLength(1)
  for (const it of [added, tls])
    expect(await run(ctx, 'hostkey forget', { args: { id: it.json.id } })).toEqual({
      json: { id: it.json.id },
      text: 'Forgotten.',
    })
  expect((await run(ctx, 'hostkey list')).json).toEqual([])
})

test('keys of unknown hosts wait, and are approved by the fingerprint that was looked at, or refused', async () => {
  const ctx = await home().newTenant()
  const credential = await createCredential(ctx, wanted())
  expect(await meet(ctx, hostOf('10.0.0.6'))).toBe('new')
  for (const address of ['10.0.0.7', '10.0.0.8'])
    expect(await meet(ctx, hostOf(address), credential)).toBe('unknown')
  const waiting = () =>
    run<{ id: string; address: string }[]>(ctx, 'hostkey list', { options: { waiting: true } })
  const { json, text } = await waiting()
  expect(json.map(({ address }) => address).toSorted()).toEqual(['10.0.0.7', '10.0.0.8'])
  expect(text.match(/ {2}WAITS FOR APPROVAL/g)).toHaveLength(2)
  const all = await run<{ trust: string }[]>(ctx, 'hostkey list')
  expect(all.json.map(({ trust }) => trust)).toEqual(['waiting', 'waiting', 'known'])
  const [one = { id: '' }, two = { id: '' }] = json
  const approve = (fingerprint: string) => run(ctx, 'hostkey approve', { args: { id: one.id, fingerprint } })
  await expect(approve(OTHER)).rejects.toMatchObject({ status: 409 })
  expect((await approve(FINGERPRINT)).json).toMatchObject({ id: one.id, trust: 'known' })
  const refused = await run(ctx, 'hostkey refuse', { args: { id: two.id } })
  expect(refused.json).toMatchObject({ id: two.id, trust: 'refused' })
  expect(refused.text).toMatch(/ {2}REFUSED$/)
  expect((await waiting()).json).toEqual([])
})

test('a changed key is told with both, and accepted', async () => {
  const ctx = await home().newTenant()
  const host = hostOf('10.0.0.9')
  await meet(ctx, host)
  expect(await meet(ctx, { ...host, algorithm: 'ssh-rsa', fingerprint: OTHER })).toBe('changed')
  const { json, text } = await run<{ id: string; offered: { at: string } }[]>(ctx, 'hostkey list')
  const [{ id, offered } = { id: '', offered: { at: '' } }] = json
  expect(offered).toEqual({ algorithm: 'ssh-rsa', fingerprint: OTHER, at: expect.any(String) as string })
  expect(text).toBe(
    `${id}  10.0.0.9 port 22  ssh-ed25519 ${FINGERPRINT}\n      CHANGED ${offered.at}: shown was ssh-rsa ${OTHER}`,
  )
  const accepted = await run(ctx, 'hostkey accept', { args: { id } })
  expect(accepted).toMatchObject({ json: { fingerprint: OTHER, offered: null } })
})

test('lines of known_hosts are taken in from a file, told and deleted', async () => {
  const ctx = await home().newTenant()
  const file = join(temporaryFolder(), 'known_hosts')
  const blob = Buffer.concat([
    Buffer.from([0, 0, 0, 11]),
    Buffer.from('ssh-ed25519'),
    Buffer.from([0, 0, 0, 32]),
    Buffer.alloc(32, 7),
  ])
  const key = `ssh-ed25519 ${blob.toString('base64')}`
  writeFileSync(file, `# office\nweb-1.example,10.0.0.1 ${key}\n@revoked old.example ${key}\nnonsense\n`)
  interface Imported {
    readonly read: number
    readonly added: number
    readonly rejected: readonly { readonly line: number; readonly reason: string }[]
  }
  const importIt = () => run<Imported>(ctx, 'knownhosts import', { args: { file } })
  const done = await importIt()
  expect(done.json).toEqual({
    read: 2,
    added: 2,
    rejected: [{ line: 4, reason: expect.any(String) as string }],
  })
  expect(done.text).toBe(`2 lines read, 2 new.\nline 4 ${done.json.rejected[0]?.reason}`)
  expect((await importIt()).text).toMatch(/^2 lines read, 0 new\./)
  interface Line {
    readonly id: string
    readonly is_revoked: boolean
  }
  const list = (options: Call['options'] = {}) => run<Line[]>(ctx, 'knownhosts list', { options })
  const { json, text } = await list()
  const revoked = json.find((it) => it.is_revoked)
  const other = json.find((it) => !it.is_revoked)
  expect(json).toHaveLength(2)
  expect(other).toMatchObject({
    hosts: 'web-1.example,10.0.0.1',
    algorithm: 'ssh-ed25519',
    created_at: expect.any(String) as string,
  })
  const lines = text
    .split('\n')
    .toSorted((a, b) => Number(a.includes('REVOKED')) - Number(b.includes('REVOKED')))
  expect(lines).toEqual([
    expect.stringMatching(`^${other?.id} {2}web-1.example,10.0.0.1 {2}ssh-ed25519 SHA256:`),
    expect.stringMatching(`^${revoked?.id} {2}REVOKED old.example {2}ssh-ed25519 SHA256:`),
  ])
  expect((await list({ limit: '1' })).json).toEqual(json.slice(0, 1))
  expect((await list({ offset: '1' })).json).toEqual(json.slice(1))
  const id = other?.id ?? ''
  expect(await run(ctx, 'knownhosts delete', { args: { id } })).toEqual({ json: { id }, text: 'Deleted.' })
  expect((await list()).json).toEqual([revoked])
  const nowhere = run(ctx, 'knownhosts import', { args: { file: '/nowhere/at/all' } })
  await expect(nowhere).rejects.toThrow('file: cannot be read (ENOENT)')
})

test('whoever knows the id of a credential or a host key need not say the tenant', async () => {
  const ctx = await home().newTenant()
  const { system } = home().runtime
  const credential = await createCredential(ctx, wanted())
  const key = await run(ctx, 'hostkey add', { args: { address: '10.0.0.5', fingerprint: FINGERPRINT } })
  const tenantOf = (path: string, id: string) =>
    commands.find((it) => it.path === path)?.tenantOf?.(system, { args: { id }, options: {} })
  for (const path of ['update', 'delete', 'reset'])
    expect(await tenantOf(`credential ${path}`, credential.id)).toBe(ctx.tenantId)
  for (const path of ['approve', 'refuse', 'accept', 'forget'])
    expect(await tenantOf(`hostkey ${path}`, key.json.id)).toBe(ctx.tenantId)
  for (const id of ['x', '00000000-0000-4000-8000-000000000000'])
    await expect(tenantOf('hostkey accept', id)).rejects.toMatchObject({ status: 404 })
})
