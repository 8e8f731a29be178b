import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Json, Observation } from '#features/assets/observation.ts'
import {
  adoptFramework,
  evaluateNow,
  listAffectedAssets,
  listChecks,
} from '#features/compliance/compliance.ts'
import { observationOf } from '#features/scans/probes/sweep/host-observation.ts'
import type { Answer } from '#features/scans/probes/sweep/tcp-connect.ts'
import { createFindings } from '#features/vulnerabilities/findings.fixture.ts'
import { processMatchingQueue } from '#features/vulnerabilities/vulnerabilities.ts'
import { submit } from '#features/sources/sources.ts'
import { setAssetWeight } from '#features/vulnerabilities/risk/asset-risk.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'

/** From what a source reports to what checks say of it: nothing that was not looked at is in order. */

const home = sharedTestApp()
/** Between them they ask for all shipped checks. */
const FRAMEWORKS = ['nist-csf-2.0', 'nist-sp-800-53-r5']
const SWEEP = { kind: 'sweep', name: 'network' } as const
const SSH = { kind: 'ssh', name: 'logins' } as const

async function tenant(): Promise<Ctx> {
  const ctx = await home().newTenant()
  for (const slug of FRAMEWORKS) await adoptFramework(ctx, slug)
  return ctx
}

/** What the probe of a sweep reports of a host whose ports answer so. */
function swept(ctx: Ctx, address: string, states: Readonly<Record<number, Answer['state']>>): Observation {
  const ports = new Map(
    Object.entries(states).map(([port, state]): [number, Answer] => [
      Number(port),
      state === 'open' || state === 'refused' ? { state, rttMs: 1 } : { state },
    ]),
  )
  const mac = '00:25:90:aa:bb:01'
  return observationOf(
    { address, foundBy: 'tcp', mac, ports },
    { dns: undefined, mdns: undefined, netbios: undefined, ssdp: undefined },
    ctx.now(),
  )
}

const loggedIn = (ctx: Ctx, address: string, facts: Readonly<Record<string, Json>>): Observation => ({
  sourceKey: address,
  seenAt: ctx.now(),
  name: 'srv-1',
  assetType: 'device',
  identifiers: [
    { type: 'ip', value: address },
    { type: 'mac', value: '00:25:90:aa:bb:01' },
    { type: 'hostname', value: 'srv-1' },
  ],
  facts,
})

async function only(ctx: Ctx): Promise<string> {
  const rows = await ctx.db.all(sql<{ id: string }>`select id from assets where tenant_id = ${ctx.tenantId}`)
  expect(rows.length).toBe(1)
  return rows[0]?.id ?? ''
}

type Verdict = 'ok' | 'failed' | 'unknown' | 'not in scope'

/** What each check found of the only asset. */
async function verdicts(ctx: Ctx, ids: readonly string[]): Promise<Record<string, Verdict>> {
  await evaluateNow(ctx)
  const found: Record<string, Verdict> = {}
  for (const slug of FRAMEWORKS)
    for (const { id, ok, failed, unknown } of await listChecks(ctx, slug))
      if (ids.includes(id))
        found[id] = ok > 0 ? 'ok' : failed > 0 ? 'failed' : unknown > 0 ? 'unknown' : 'not in scope'
  return found
}

const every = (ids: readonly string[], verdict: Verdict) => Object.fromEntries(ids.map((id) => [id, verdict]))

const NEVER_ASKED = [
  'no-docker-api',
  'no-db-internet',
  'no-vnc',
  'no-x11',
  'no-r-services',
  'no-finger-or-echo',
  'no-plain-ldap',
  'no-plain-mail',
  'no-plant-protocol-on-servers',
  'no-rdp-internet',
] as const
const ASKED = ['no-telnet', 'no-ftp', 'no-smb-internet', 'no-ssh-internet']

test('a port that a sweep did not ask, or that stayed silent, is unknown; a login knows all of them', async () => {
  const ctx = await tenant()
  await submit(ctx, SWEEP, [
    swept(ctx, '10.0.0.5', {
      22: 'refused',
      23: 'refused',
      21: 'refused',
      139: 'refused',
      445: 'refused',
      443: 'open',
    }),
  ])
  const id = await only(ctx)
  await ctx.db.run(sql`update assets set device_type = 'server', asset_type = 'device' where id = ${id}`)
  await setAssetWeight(ctx, { assetId: id, criticality: 'high', exposure: 'internet' })
  expect(await verdicts(ctx, [...NEVER_ASKED, ...ASKED])).toEqual({
    ...every(NEVER_ASKED, 'unknown'),
    ...every(ASKED, 'ok'),
  })
  await submit(ctx, SWEEP, [swept(ctx, '10.0.0.5', { 23: 'silent', 21: 'open', 443: 'open' })])
  expect(await verdicts(ctx, ['no-telnet', 'no-ftp'])).toEqual({ 'no-telnet': 'unknown', 'no-ftp': 'failed' })
  await submit(ctx, SSH, [
    loggedIn(ctx, '10.0.0.5', { listening: ['tcp 0.0.0.0 2375', 'tcp 127.0.0.1 5432'] }),
  ])
  await ctx.db.run(sql`update assets set device_type = 'server' where id = ${id}`)
  expect(await only(ctx)).toBe(id)
  expect(await verdicts(ctx, [...NEVER_ASKED])).toEqual({
    ...every(NEVER_ASKED, 'ok'),
    'no-docker-api': 'failed',
  })
})

test.each([
  ['printer', 'no-printer-internet', 'device'],
  ['plc', 'no-ot-internet', 'ot_device'],
])(
  'of a %s nobody said whether it can be reached from the internet',
  async (deviceType, check, assetType) => {
    const ctx = await tenant()
    await submit(ctx, SSH, [loggedIn(ctx, '10.0.0.7', {})])
    const id = await only(ctx)
    await ctx.db.run(
      sql`update assets set device_type = ${deviceType}, asset_type = ${assetType} where id = ${id}`,
    )
    expect(await verdicts(ctx, [check])).toEqual({ [check]: 'unknown' })
    await setAssetWeight(ctx, { assetId: id, criticality: 'normal', exposure: 'isolated' })
    expect(await verdicts(ctx, [check])).toEqual({ [check]: 'ok' })
    await setAssetWeight(ctx, { assetId: id, criticality: 'normal', exposure: 'internet' })
    expect(await verdicts(ctx, [check])).toEqual({ [check]: 'failed' })
    const { items } = await listAffectedAssets(ctx, { limit: 10, offset: 0 }, check)
    expect(items).toMatchObject([{ assetId: id, outcome: 'failed' }])
  },
)

const debian = (versionId: string) => ({
  id: 'debian',
  versionId,
  prettyName: `Debian GNU/Linux ${versionId}`,
})
const NODE = { origin: 'windows' as const, name: 'Node.js', version: '18.1.0', vendor: 'Node.js Foundation' }

async function lifecycle(product: string, releases: readonly object[]): Promise<void> {
  const body = {
    product,
    label: product,
    identifiers: product === 'nodejs' ? [{ kind: 'cpe', id: 'cpe:2.3:a:nodejs:node.js' }] : [],
    releases,
  }
  await home().runtime.system.db.run(sql`
    insert into lifecycles (product, body) values (${product}, ${JSON.stringify(body)}::json)
    on conflict (product) do update set body = excluded.body`)
}

const withSystem = (ctx: Ctx, versionId: string): Observation => ({
  ...loggedIn(ctx, '10.0.0.8', {}),
  os: `Debian GNU/Linux ${versionId}`,
  software: {
    release: debian(versionId),
    complete: ['windows'],
    items: [{ ...NODE, cpe: 'cpe:2.3:a:nodejs:node.js:18.1.0:*:*:*:*:*:*:*' }],
  },
})

const SYSTEM = ['os-supported', 'os-eol-90d']

test('a system is supported until the day that its lifecycle says, and unknown where there is none', async () => {
  const ctx = await tenant()
  await submit(ctx, SSH, [withSystem(ctx, '7')])
  const id = await only(ctx)
  await ctx.db.run(sql`update assets set device_type = 'server' where id = ${id}`)
  expect(await verdicts(ctx, ['os-eol-90d'])).toEqual({ 'os-eol-90d': 'unknown' })
  const soon = new Date(ctx.now().getTime() + 30 * 86_400_000).toISOString().slice(0, 10)
  await lifecycle('debian', [
    { cycle: '7', label: '7', endsOn: '2018-05-31', isLongTerm: false },
    { cycle: '98', label: '98', endsOn: soon, isLongTerm: false },
    { cycle: '99', label: '99', endsOn: '2199-01-01', isLongTerm: false },
  ])
  expect(await verdicts(ctx, SYSTEM)).toEqual(every(SYSTEM, 'failed'))
  for (const [release, expected] of [
    ['98', { 'os-supported': 'ok', 'os-eol-90d': 'failed' }],
    ['99', every(SYSTEM, 'ok')],
    ['100', every(SYSTEM, 'unknown')],
  ] as const) {
    await submit(ctx, SSH, [{ ...withSystem(ctx, release), seenAt: ctx.now() }])
    await ctx.db.run(sql`update assets set device_type = 'server' where id = ${id}`)
    expect([release, await verdicts(ctx, SYSTEM)]).toEqual([release, expected])
  }
})

const OF_FEEDS = ['vuln-assessed-30d', 'feeds-fresh', 'no-critical-15d', 'no-eol-software']

test('with feeds that are off or old nothing is in order any more, and what fails still fails', async () => {
  const ctx = await tenant()
  const { system } = home().runtime
  const feed = (enabled: boolean, syncedAt: Date | null) =>
    system.db.run(sql`
      insert into advisory_feeds (name, is_enabled, started_at, synced_at)
      values ('debian', ${enabled}, ${ctx.now()}, ${syncedAt})
      on conflict (name) do update set is_enabled = excluded.is_enabled, synced_at = excluded.synced_at`)
  await lifecycle('nodejs', [{ cycle: '18', label: '18', endsOn: '2199-01-01', isLongTerm: false }])
  await submit(ctx, SSH, [withSystem(ctx, '12')])
  await processMatchingQueue(ctx)
  const id = await only(ctx)
  await ctx.db.run(sql`update assets set device_type = 'server' where id = ${id}`)
  const [now, old] = [ctx.now(), new Date(ctx.now().getTime() - 3 * 86_400_000)]
  await feed(true, now)
  expect(await verdicts(ctx, OF_FEEDS)).toEqual(every(OF_FEEDS, 'ok'))
  await feed(false, now)
  expect(await verdicts(ctx, OF_FEEDS)).toEqual(every(OF_FEEDS, 'unknown'))
  await feed(true, old)
  expect(await verdicts(ctx, OF_FEEDS)).toEqual({ ...every(OF_FEEDS, 'unknown'), 'feeds-fresh': 'failed' })
  await lifecycle('nodejs', [{ cycle: '18', label: '18', endsOn: '2025-04-30', isLongTerm: false }])
  expect(await verdicts(ctx, OF_FEEDS)).toMatchObject({ 'no-eol-software': 'failed' })
  await feed(false, null)
})

test('what sources tell of protection is judged, and silence is unknown', async () => {
  const ctx = await tenant()
  const sweep = (services: Readonly<Record<string, Json>>) => {
    const ports = new Map([[445, { state: 'open', rttMs: 1 }]] as [number, Answer][])
    const found = { address: '10.0.0.9', foundBy: 'tcp' as const, mac: '00:25:90:aa:bb:01', ports, services }
    return observationOf(
      found,
      { dns: undefined, mdns: undefined, netbios: undefined, ssdp: undefined },
      ctx.now(),
    )
  }
  const checks = [
    'smb-signing',
    'smb-3',
    'cert-30d',
    'cert-not-self',
    'guest-disabled',
    'default-admin',
    'firewall-on',
  ]
  await submit(ctx, SWEEP, [sweep({})])
  const id = await only(ctx)
  const asServer = () =>
    ctx.db.run(sql`
      update assets set device_type = 'server', asset_type = 'device', os_family = 'windows' where id = ${id}`)
  await asServer()
  expect(await verdicts(ctx, checks)).toEqual(every(checks, 'unknown'))
  const inDays = (days: number) => new Date(ctx.now().getTime() + days * 86_400_000).toISOString()
  const accounts = (isDisabled: boolean) => [500, 501].map((rid) => ({ name: `n${rid}`, rid, isDisabled }))
  for (const [verdict, services, facts] of [
    [
      'failed',
      { smb: { dialect: '2.1', signing: 'offered' }, tls: { validTo: inDays(9), selfSigned: true } },
      { accounts: accounts(false), firewalls: [{ profile: 'public', status: 'off' }] },
    ],
    [
      'ok',
      { smb: { dialect: '3.1.1', signing: 'required' }, tls: { validTo: inDays(90), selfSigned: false } },
      { accounts: accounts(true), firewalls: [{ profile: 'public', status: 'on' }] },
    ],
  ] as const) {
    await submit(ctx, SWEEP, [sweep(services)])
    await submit(ctx, SSH, [loggedIn(ctx, '10.0.0.9', facts)])
    await asServer()
    expect(await verdicts(ctx, checks)).toEqual(every(checks, verdict))
  }
})

const OF_EXPLOITED = ['no-exploited-14d', 'no-kev-internet', 'no-kev-overdue']

test('known to be exploited is what a catalogue or SSVC calls so; only a catalogue sets a day', async () => {
  const ctx = await tenant()
  const poc = { exploitation: 'poc', isAutomatable: false, impact: 'partial' } as const
  await createFindings(ctx, [{ cveId: 'CVE-2024-2001', score: 9.8, ssvc: poc }])
  const id = await only(ctx)
  await setAssetWeight(ctx, { assetId: id, criticality: 'normal', exposure: 'internet' })
  expect(Object.values(await verdicts(ctx, OF_EXPLOITED))).not.toContain('failed')
  await ctx.db.run(
    sql`update vulnerabilities set ssvc_exploitation = 'active' where tenant_id = ${ctx.tenantId}`,
  )
  expect(await verdicts(ctx, OF_EXPLOITED)).toMatchObject({ 'no-kev-internet': 'failed' })
  await ctx.db.run(sql`update findings set found_at = ${new Date(ctx.now().getTime() - 15 * 86_400_000)}
    where tenant_id = ${ctx.tenantId}`)
  const found = await verdicts(ctx, OF_EXPLOITED)
  expect(found).toMatchObject({ 'no-exploited-14d': 'failed', 'no-kev-internet': 'failed' })
  expect(found['no-kev-overdue']).not.toBe('failed')
})
