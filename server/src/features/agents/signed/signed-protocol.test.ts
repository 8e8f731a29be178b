import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { searchAudit } from '#features/audit/audit.ts'
import { assetsOf, enrolled, eventsOf, installedIn } from '../agents.fixture.ts'
import { stateOf } from '../agent.ts'
import { listAgents, rekeyAgent, revokeAgent } from '../agents.ts'
import { noteOffered, updateOf } from '../updates/release-store.ts'
import { sectionHash } from './canonical-json.ts'
import { readSections } from './report-sections.ts'
import { AGENT, newHost, statusOf } from './signed-agent.fixture.ts'

const home = sharedTestApp()
const page = { limit: 50, offset: 0 }
test('two commands make an asset with its software, and NEW_SOURCE comes once for all agents', async () => {
  const { ctx, secret } = await enrolled(home(), { tags: ['paris'] })
  const site = await home().address()
  const [one, two] = [newHost('ALPHA001'), newHost('BRAVO002')]
  expect(await one.start('enrol', site, secret)).toMatchObject({ code: 0, err: '' })
  expect(await two.run('enrol', site, secret)).toMatchObject({ code: 0, err: '' })
  const assets = await assetsOf(ctx)
  expect(
    assets.map(({ name, serial, vendor, model, os, tags }) => [name, serial, vendor, model, os, tags]),
  ).toEqual(
    expect.arrayContaining([
      [
        'web-alpha001',
        'ALPHA001',
        'Dell Inc.',
        'PowerEdge R640',
        'Debian GNU/Linux 12 (bookworm)',
        ['paris'],
      ],
    ]),
  )
  expect(assets).toHaveLength(2)
  expect((await installedIn(ctx, 'agent')).map(({ name, version }) => `${name} ${version}`)).toContain(
    'openssl 3.0.11-1~deb12u2',
  )
  expect(await eventsOf(ctx, 'NEW_SOURCE')).toMatchObject([{ source_type: 'agent', name: 'Rollcall agent' }])
  expect((await eventsOf(ctx, 'NEW_ASSET')).map((it) => it['source'])).toEqual(['agent_scan', 'agent_scan'])
  expect((await listAgents(ctx, page)).items).toMatchObject([{ kind: 'agent' }, { kind: 'agent' }])
})

test('a changed package alone is sent, and changes the asset; nothing changed sends nothing', async () => {
  const { ctx, secret } = await enrolled(home())
  const host = newHost('CHARLIE3')
  await host.run('enrol', await home().address(), secret)
  host.write('var/lib/dpkg/status', statusOf({ bash: '5.2.15-2+b2', openssl: '3.0.15-1~deb12u1' }))
  expect(await host.run('run', '--now')).toEqual({ code: 0, out: 'Reported: sent software.\n', err: '' })
  expect((await host.run('run', '--now')).out).toBe('Reported: nothing changed.\n')
  expect((await host.run('run')).out).toBe('')
  expect((await installedIn(ctx, 'agent')).map(({ name, version }) => `${name} ${version}`)).toEqual([
    'bash 5.2.15-2+b2',
    'openssl 3.0.15-1~deb12u1',
  ])
})

test('of a long list only what changed is sent; a list that the server does not have is sent whole', async () => {
  const { ctx, secret } = await enrolled(home())
  const host = newHost('MIKE0013')
  const packages = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`package-${n}`, '1.0']))
  const write = (changed: Readonly<Record<string, string>>): void =>
    host.write('var/lib/dpkg/status', statusOf({ ...packages, ...changed }))
  const reported = async (): Promise<void> =>
    expect((await host.run('run', '--now')).out).toBe('Reported: sent software.\n')
  write({})
  await host.run('enrol', await home().address(), secret)
  write({ 'package-7': '1.1', 'package-new': '2.0' })
  await reported()
  const now = async () => (await installedIn(ctx, 'agent')).map(({ name, version }) => `${name} ${version}`)
  expect(await now()).toHaveLength(301)
  expect(await now()).toEqual(expect.arrayContaining(['package-7 1.1', 'package-new 2.0', 'package-8 1.0']))
  write({})
  await reported()
  expect(await now()).toHaveLength(300)
  expect(await now()).toContain('package-7 1.0')
  // the server was put back to an older backup
  await ctx.db.run(
    sql`update agents set section_hashes = section_hashes || '{"software": ""}' where tenant_id = ${ctx.tenantId}`,
  )
  write({ 'package-9': '3.0' })
  await reported()
  expect(await now()).toHaveLength(300)
  expect(await now()).toContain('package-9 3.0')
})

test('a copied disk gets a key and an asset of its own, the first host keeps its asset with a new key', async () => {
  const { ctx, secret } = await enrolled(home())
  const [first, copy] = [newHost('DELTA004'), newHost('ECHO0005')]
  await first.run('enrol', await home().address(), secret)
  const before = first.identity()
  const original = (await assetsOf(ctx))[0]?.id
  cpSync(first.state, copy.state, { recursive: true })
  expect((await first.run('run', '--now')).code).toBe(0)
  for (let round = 0; round < 2; round += 1)
    for (const host of [copy, first])
      expect(await host.run('run', '--now')).toMatchObject({ code: 0, err: '' })
  const assets = await assetsOf(ctx)
  expect(assets.map(({ serial }) => serial).toSorted()).toEqual(['DELTA004', 'ECHO0005'])
  expect(assets.find(({ serial }) => serial === 'DELTA004')?.id).toBe(original)
  expect(new Set([before, first.identity(), copy.identity()]).size).toBe(3)
  expect((await listAgents(ctx, page)).total).toBe(2)
})

test('a host that was put back to an older state of its disk changes its key and stays the same asset', async () => {
  const { ctx, secret } = await enrolled(home())
  const host = newHost('FOXTROT6')
  await host.run('enrol', await home().address(), secret)
  const older = mkdtempSync(join(tmpdir(), 'rollcall-agent-'))
  onTestFinished(() => rmSync(older, { recursive: true, force: true }))
  cpSync(host.state, older, { recursive: true })
  const before = host.identity()
  for (let round = 0; round < 3; round += 1) await host.run('run', '--now')
  cpSync(older, host.state, { recursive: true })
  expect(await host.run('run', '--now')).toMatchObject({ code: 0, err: '' })
  expect(host.identity()).not.toBe(before)
  expect((await listAgents(ctx, page)).total).toBe(1)
  expect(await assetsOf(ctx)).toHaveLength(1)
})

test('a server that is not there is tried again later, with the state as it is then', async () => {
  const { ctx, secret } = await enrolled(home())
  const host = newHost('GOLF0007')
  await host.run('enrol', await home().address(), secret)
  const identity = JSON.parse(host.identity()) as Record<string, string>
  const change = (server: string): void =>
    writeFileSync(join(host.state, 'identity.json'), JSON.stringify({ ...identity, server }))
  change('http://127.0.0.1:1')
  host.write('var/lib/dpkg/status', statusOf({ bash: '5.2.15-3' }))
  expect((await host.run('run', '--now')).code).toBe(1)
  change(identity['server'] ?? '')
  expect((await host.run('run', '--now')).out).toBe('Reported: sent software.\n')
  expect(await installedIn(ctx, 'agent')).toMatchObject([{ name: 'bash', version: '5.2.15-3' }])
})

test('a person orders a new key, and the agent makes it with its next report', async () => {
  const { ctx, secret } = await enrolled(home())
  const host = newHost('HOTEL008')
  await host.run('enrol', await home().address(), secret)
  const before = host.identity()
  const agent = (await listAgents(ctx, page)).items[0]
  const asset = (await assetsOf(ctx))[0]?.id
  expect(agent?.assetId).toBe(asset)
  await rekeyAgent(ctx, agent?.id ?? '')
  expect(await host.run('run', '--now')).toMatchObject({ code: 0, err: '' })
  expect(host.identity()).not.toBe(before)
  expect(await host.run('run', '--now')).toMatchObject({ code: 0, out: 'Reported: nothing changed.\n' })
  expect((await assetsOf(ctx)).map(({ id }) => id)).toEqual([asset])
  const { items } = await searchAudit(ctx, { limit: 50, offset: 0 })
  expect(items.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['agent.enrolled', 'agent.rekey_ordered', 'agent.key_changed']),
  )
})

test('a revoked agent is refused until it is enrolled anew, and its asset stays', async () => {
  const [{ ctx, secret }, theirs] = [await enrolled(home()), await enrolled(home())]
  const host = newHost('INDIA009')
  await host.run('enrol', await home().address(), secret)
  const id = (await listAgents(ctx, page)).items[0]?.id ?? ''
  for (const change of [rekeyAgent, revokeAgent]) {
    await expect(change(theirs.ctx, id)).rejects.toMatchObject({ status: 404 })
    await expect(change(ctx, 'nonsense')).rejects.toMatchObject({ status: 404 })
  }
  const revoked = await revokeAgent(ctx, id)
  expect(stateOf(revoked, new Date())).toBe('revoked')
  await revokeAgent(ctx, id)
  await expect(rekeyAgent(ctx, id)).rejects.toMatchObject({ status: 409 })
  const refused = await host.run('run', '--now')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('403 revoked')])
  expect(await assetsOf(ctx)).toHaveLength(1)
  await host.run('forget')
  expect((await host.run('enrol', await home().address(), secret)).code).toBe(0)
  expect((await assetsOf(ctx)).map(({ serial }) => serial)).toEqual(['INDIA009'])
  expect((await listAgents(ctx, page)).items).toMatchObject([{ id, revokedAt: null }])
})

test('an enrolment whose answer was lost is repeated with the same key, and stays one agent', async () => {
  const { ctx, secret } = await enrolled(home())
  const host = newHost('KILO0011')
  const site = await home().address()
  await host.run('enrol', site, secret)
  const { seed } = JSON.parse(readFileSync(join(host.state, 'identity.json'), 'utf8')) as { seed: string }
  // as it is before the answer has come
  await host.run('forget')
  writeFileSync(join(host.state, 'enrolment.json'), JSON.stringify({ server: site, seed }))
  expect(await host.run('enrol', site, secret)).toMatchObject({ code: 0, err: '' })
  expect((await listAgents(ctx, page)).total).toBe(1)
  expect(existsSync(join(host.state, 'enrolment.json'))).toBe(false)
})

test('whoever is not enrolled may send 64 KiB', async () => {
  const { secret } = await enrolled(home())
  const host = newHost('LIMA0012')
  await host.run('enrol', await home().address(), secret)
  const large = Buffer.alloc(70_000, 0x20)
  expect((await signedRequest(host.state, { call: 'enrol', counter: 9_000, body: large })).status).toBe(413)
  expect((await signedRequest(host.state, { call: 'report', counter: 9_001, body: large })).status).toBe(400)
})

function signedReport(state: string, counter: number, change?: (body: Buffer) => Buffer) {
  const body = Buffer.from(JSON.stringify({ v: 1, sections: {}, changed: {}, failed: [] }))
  return signedRequest(state, { call: 'report', counter, body }, change)
}

/** A signed request as the agent makes it, with a counter of our choice; `change` alters it on the way. */
async function signedRequest(
  state: string,
  { call, counter, body }: { call: string; counter: number; body: Buffer },
  change: (body: Buffer) => Buffer = (it) => it,
) {
  const { seed } = JSON.parse(readFileSync(join(state, 'identity.json'), 'utf8')) as { seed: string }
  const { keyFrom, signatureHeaders } = (await import(join(AGENT, '../wire/signature.ts'))) as Signing
  const created = Math.round(Date.now() / 1_000)
  const headers = signatureHeaders(keyFrom(Buffer.from(seed, 'base64')), {
    path: `/agent/v1/${call}`,
    body,
    counter,
    created,
  })
  const sent = { method: 'POST', headers, body: new Uint8Array(change(body)) }
  const answer = await fetch(`${await home().address()}/agent/v1/${call}`, sent)
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

interface Signing {
  readonly keyFrom: (seed: Buffer) => unknown
  readonly signatureHeaders: (key: unknown, request: object) => Record<string, string>
}

test('a counter that is equal or lower is refused with the one that was seen, another body by its digest', async () => {
  const { secret } = await enrolled(home())
  const host = newHost('JULIETT0')
  await host.run('enrol', await home().address(), secret)
  expect((await signedReport(host.state, 5_000)).status).toBe(200)
  for (const counter of [5_000, 4_999])
    expect(await signedReport(host.state, counter)).toMatchObject({
      status: 409,
      body: { error: 'replayed', counter: 5_000 },
    })
  const altered = await signedReport(host.state, 5_001, () => Buffer.from('{"v":1}'))
  expect(altered).toMatchObject({ status: 400, body: { error: 'digest' } })
  // the refused request took no counter
  expect((await signedReport(host.state, 5_001)).status).toBe(200)
})

test('that an update was taken back is noted of a host that must change its key too', async () => {
  const { ctx, secret } = await enrolled(home())
  const host = newHost('NOVEMBE1')
  await host.run('enrol', await home().address(), secret)
  const id = (await listAgents(ctx, page)).items[0]?.id ?? ''
  await noteOffered(ctx, id, '9.0.0')
  await rekeyAgent(ctx, id)
  const told = { v: 1, version: '0.1.0', platform: 'linux-x64', update_taken_back: '9.0.0' }
  const body = Buffer.from(JSON.stringify({ ...told, sections: {}, changed: {}, failed: [] }))
  expect(await signedRequest(host.state, { call: 'report', counter: 5_000, body })).toMatchObject({
    status: 200,
    body: { order: 'rekey' },
  })
  expect(await updateOf(ctx, id)).toEqual({ version: '9.0.0', isTakenBack: true })
})

test('sections that are nested too deeply or too long are refused', async () => {
  const hash = '0'.repeat(32)
  const deep: unknown = JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`)
  expect(() => readSections({ sections: { os: hash }, changed: { os: deep } })).toThrow('nested too deeply')
  const long = { text: 'a'.repeat(1_048_576) }
  expect(() => readSections({ sections: { os: sectionHash(long) }, changed: { os: long } })).toThrow(
    'longer than',
  )
})
