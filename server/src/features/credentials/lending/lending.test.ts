import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import type { Credential } from '../credential.ts'
import {
  createCredential,
  lendTo,
  listCredentials,
  resetCredential,
  updateCredential,
} from '../credentials.ts'
import type { Lending } from './lending.ts'
import { lending, lent, password, SSH, wanted } from '../credentials.fixture.ts'

const home = sharedTestApp()
const ALL = { limit: 100, offset: 0 }
const namesOf = (credentials: readonly Credential[]): string[] => credentials.map((it) => it.name)

test('at most two are tried on a host in a scan, the one that worked there last first, a refused one never again', async () => {
  const ctx = await home().newTenant()
  for (const name of ['a', 'b', 'c']) await createCredential(ctx, wanted({ name }))
  const first = lending(ctx)
  const [a, b, ...more] = await first.credentialsFor('10.0.0.1', SSH)
  expect(more).toEqual([])
  if (!a || !b) throw new Error('nothing lent')
  expect([a.name, b.name]).toEqual(['a', 'b'])
  await first.recordOutcome(a, '10.0.0.1', 'refused')
  expect(namesOf(await first.credentialsFor('10.0.0.1', SSH))).toEqual(['b'])
  await first.recordOutcome(b, '10.0.0.1', 'accepted')
  expect(namesOf(await lent(ctx, '10.0.0.1', SSH))).toEqual(['b', 'c'])
})

async function refused(ctx: Ctx, address: string): Promise<Lending> {
  const scan = lending(ctx)
  for (const it of await scan.credentialsFor(address, [...SSH, 'winrm']))
    await scan.recordOutcome(it, address, 'refused')
  return scan
}

test('three hosts that refuse it open the circuit breaker, with a warning, until a person closes it', async () => {
  const ctx = await home().newTenant()
  const { id } = await createCredential(ctx, wanted({ name: 'wrong' }))
  await refused(ctx, '10.0.0.1')
  await refused(ctx, '10.0.0.2')
  const last = await refused(ctx, '10.0.0.3')
  expect(last.warnings()).toEqual([
    expect.stringMatching(/^wrong is set aside until .*10\.0\.0\.1, 10\.0\.0\.2, 10\.0\.0\.3/),
  ])
  expect((await listCredentials(ctx, ALL)).items[0]).toMatchObject({
    setAsideUntil: expect.any(String),
    refusedOn: 3,
  })
  const held = lending(ctx)
  expect(await held.credentialsFor('10.0.0.4', SSH)).toEqual([])
  expect(held.warnings()).toEqual([expect.stringContaining('set aside')])
  expect(await held.lack('10.0.0.4', SSH)).toContain('set aside')
  expect(await resetCredential(ctx, id)).toMatchObject({ setAsideUntil: null })
  expect(await lent(ctx, '10.0.0.4', SSH)).toHaveLength(1)
})

test('two refusals at one host hold it back from that host alone; a new secret starts anew', async () => {
  const ctx = await home().newTenant()
  const { id } = await createCredential(ctx, wanted())
  await refused(ctx, '10.0.0.1')
  await refused(ctx, '10.0.0.1')
  expect(await lent(ctx, '10.0.0.1', SSH)).toEqual([])
  expect(await lent(ctx, '10.0.0.2', SSH)).toHaveLength(1)
  await updateCredential(ctx, id, { values: { password: 'another' } })
  const [again] = await lent(ctx, '10.0.0.1', SSH)
  expect(again).toMatchObject({ username: 'scan', password: 'another' })
})

test('two credentials of one directory account share the circuit breaker', async () => {
  const ctx = await home().newTenant()
  for (const username of ['CORP\\scan', 'corp\\SCAN'])
    await createCredential(ctx, wanted({ kind: 'winrm', values: { username, password: password() } }))
  const scan = lending(ctx)
  const [one, two] = await scan.credentialsFor('10.0.0.1', ['winrm']).then(async ([first]) => {
    if (first) await scan.recordOutcome(first, '10.0.0.1', 'refused')
    return [first, ...(await scan.credentialsFor('10.0.0.1', ['winrm']))]
  })
  if (!one || !two) throw new Error('nothing lent')
  await scan.recordOutcome(two, '10.0.0.1', 'refused')
  expect((await listCredentials(ctx, ALL)).items.map((it) => it.setAsideUntil)).toEqual([
    expect.any(String),
    expect.any(String),
  ])
})

test('a password that was never accepted is tried on one host at a time, an accepted one on all', async () => {
  const ctx = await home().newTenant()
  await createCredential(ctx, wanted())
  const first = lending(ctx)
  const [it] = await first.credentialsFor('10.0.0.1', SSH)
  if (!it) throw new Error('nothing lent')
  const stopped = new AbortController()
  const second = lendTo(ctx, {
    scanId: randomUUID(),
    targetId: null,
    startedBy: null,
    covers: () => true,
    signal: stopped.signal,
  })
  const waiting = second.credentialsFor('10.0.0.2', SSH)
  stopped.abort()
  await expect(waiting).rejects.toThrow(/abort/)
  const third = lending(ctx).credentialsFor('10.0.0.3', SSH)
  await first.recordOutcome(it, '10.0.0.1', 'accepted')
  expect(await third).toHaveLength(1)
  expect(await lent(ctx, '10.0.0.4')).toHaveLength(1)
})

test('every use stands in the audit log once for a scan and host, with who started the scan', async () => {
  const ctx = await home().newTenant()
  const { id } = await createCredential(ctx, wanted({ name: 'Linux' }))
  const scan = lending(ctx)
  const [it] = await scan.credentialsFor('10.0.0.1', SSH)
  if (!it) throw new Error('nothing lent')
  await scan.recordOutcome(it, '10.0.0.1', 'accepted')
  await scan.recordOutcome(it, '10.0.0.1', 'accepted')
  const uses = await ctx.db.all(sql<{ details: object }>`
    select details from audit_entries where action = 'credential.used' and subject_id = ${id}`)
  expect(uses).toEqual([
    {
      details: {
        name: 'Linux',
        address: '10.0.0.1',
        outcome: 'accepted',
        scanId: expect.any(String),
        startedBy: { kind: 'user', id: 'ada' },
      },
    },
  ])
})
