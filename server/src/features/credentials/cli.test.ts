import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'
import { lendTo } from './credentials.ts'

const home = sharedTestApp()

async function run(
  ctx: Ctx,
  path: string,
  options: Readonly<Record<string, string | true>> = {},
  id = '',
): Promise<CommandResult> {
  const command = commands.find((it) => it.path === path)
  if (!command) throw new Error(`no command ${path}`)
  return command.run(ctx, { args: { id }, options })
}

async function file(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'credential-'))
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 10 }))
  const path = join(folder, 'secret')
  await writeFile(path, text)
  return path
}

const idOf = ({ json }: CommandResult): string => (json as { id: string }).id
const scanOf = (ctx: Ctx) =>
  lendTo(ctx, { scanId: 'scan', targetId: null, startedBy: null, covers: () => true })

test('a credential is created, listed, changed, tried again and deleted, and its secret never printed', async () => {
  const ctx = await home().newTenant()
  const created = await run(ctx, 'credential create', {
    name: 'Switches',
    kind: 'snmp_user',
    cidr: '10.0.0.0/8\n192.0.2.7',
    username: 'monitor',
    'secret-file': await file('authentication\nencryption!\n'),
  })
  expect(created.json).toEqual({
    id: expect.any(String),
    asks_on_unknown_host: false,
    name: 'Switches',
    kind: 'snmp_user',
    username: 'monitor',
    authProtocol: 'sha256',
    privacyProtocol: 'aes',
    port: null,
    cidrs: ['10.0.0.0/8', '192.0.2.7/32'],
    targets: [],
    works_on: 0,
    collector_only: false,
    collectors: [],
    refused_on: 0,
    set_aside_until: null,
    set_aside_because: null,
    last_used_at: null,
    last_accepted_at: null,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  const listed = await run(ctx, 'credential list')
  expect(listed.json).toEqual([created.json])
  expect(`${created.text} ${listed.text}`).not.toMatch(/authentication|encryption!/)
  expect(await scanOf(ctx).credentialsFor('10.1.1.1', ['snmp_user'])).toMatchObject([
    { auth: { password: 'authentication' }, privacy: { password: 'encryption!' } },
  ])
  const id = idOf(created)
  expect((await run(ctx, 'credential update', { name: 'Core', port: '1161' }, id)).json).toMatchObject({
    name: 'Core',
    port: 1161,
  })
  expect((await run(ctx, 'credential reset', {}, id)).json).toMatchObject({ set_aside_until: null })
  await run(ctx, 'credential delete', {}, id)
  expect((await run(ctx, 'credential list')).json).toEqual([])
})

test('a secret of too many lines, of no kind or that cannot be read is refused without being printed', async () => {
  const ctx = await home().newTenant()
  const base = { name: 'x', kind: 'ssh_password', cidr: '10.0.0.0/8', username: 'u' }
  const secret = await file('one\ntwo')
  await expect(run(ctx, 'credential create', { ...base, 'secret-file': secret })).rejects.toThrow(
    'secret: has 2 lines, ssh_password takes 1',
  )
  await expect(
    run(ctx, 'credential create', { ...base, kind: 'telnet', 'secret-file': secret }),
  ).rejects.toThrow(/^kind: must be one of/)
  await expect(run(ctx, 'credential create', { ...base, 'secret-file': '/nowhere/at/all' })).rejects.toThrow(
    'secret-file: cannot be read (ENOENT)',
  )
})

test('data keys of all tenants are rotated', async () => {
  const ctx = await home().newTenant()
  await run(ctx, 'credential create', {
    name: 'x',
    kind: 'snmp_community',
    cidr: '10.0.0.0/8',
    'secret-file': await file('community'),
  })
  const { json } = await run(home().runtime.system, 'credential rotate-keys')
  expect(json).toContainEqual({ tenantId: ctx.tenantId, version: 2, reencrypted: 1, removed: 1 })
})

test('host keys are listed with the changed key, accepted and deleted', async () => {
  const ctx = await home().newTenant()
  const key = { address: '10.0.0.1', port: 22, algorithm: 'ssh-ed25519' }
  await scanOf(ctx).knowHostKey({ ...key, fingerprint: 'SHA256:a' }, { id: 'any' })
  await scanOf(ctx).knowHostKey({ ...key, fingerprint: 'SHA256:b' }, { id: 'any' })
  const listed = await run(ctx, 'hostkey list')
  expect(listed.json).toMatchObject([
    { ...key, fingerprint: 'SHA256:a', offered: { fingerprint: 'SHA256:b' } },
  ])
  expect(listed.text).toContain('CHANGED')
  const [{ id } = { id: '' }] = listed.json as { id: string }[]
  expect((await run(ctx, 'hostkey accept', {}, id)).json).toMatchObject({
    fingerprint: 'SHA256:b',
    offered: null,
  })
  await run(ctx, 'hostkey forget', {}, id)
  expect((await run(ctx, 'hostkey list')).json).toEqual([])
})
