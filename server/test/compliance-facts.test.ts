import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Json, Observation } from '#features/assets/observation.ts'
import { adoptFramework, evaluateNow, listChecks } from '#features/compliance/compliance.ts'
import { knowHostKey } from '#features/credentials/host-keys/host-keys.ts'
import { assignEntitlement, saveEntitlement } from '#features/records/entitlements/entitlements.ts'
import { setNetworkTypes } from '#features/records/places/network-types.ts'
import { createPlace } from '#features/records/places/places.ts'
import { setRecords } from '#features/records/records.ts'
import { finishScan } from '#features/scans/running/finish-scan.ts'
import { submit } from '#features/sources/sources.ts'
import { deriveLinks } from '#features/topology/derive-links.ts'
import { setAssetWeight } from '#features/vulnerabilities/risk/asset-risk.ts'
import type { Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'

/** From a fact, by the way on which it comes in, to what a check says of it: unknown until somebody tells. */

const home = sharedTestApp()
const ADDRESS = '10.7.0.5'
const DAY_MS = 86_400_000

type Verdict = 'ok' | 'failed' | 'unknown' | 'not in scope'

interface Facts {
  readonly check: string
  readonly deviceType?: string
  readonly family?: string
  /** What makes the check fail, and what makes it be in order after that. */
  readonly failing: (ctx: Ctx, assetId: string) => Promise<unknown>
  readonly inOrder: (ctx: Ctx, assetId: string) => Promise<unknown>
}

const observed = (ctx: Ctx, more: Partial<Observation> = {}): Observation => ({
  sourceKey: ADDRESS,
  seenAt: ctx.now(),
  name: 'srv-1',
  assetType: 'device',
  identifiers: [
    { type: 'ip', value: ADDRESS },
    { type: 'serial', value: 'PF0AAA77' },
  ],
  ...more,
})

const told = (kind: string, facts: Readonly<Record<string, Json>>) => (ctx: Ctx) =>
  submit(ctx, { kind, name: kind }, [observed(ctx, { facts })])

const record = (values: Readonly<Record<string, string>>) => (ctx: Ctx, assetId: string) =>
  setRecords(ctx, { assetIds: [assetId], values })

const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString()

const kernels =
  (...installed: string[]) =>
  (ctx: Ctx) =>
    submit(ctx, { kind: 'ssh', name: 'ssh' }, [
      observed(ctx, {
        software: {
          release: { id: 'debian', versionId: '12', kernel: '6.1.0-9-amd64' },
          complete: ['dpkg'],
          items: installed.map((it) => ({ origin: 'dpkg', name: `linux-image-${it}`, version: '6.1.1-1' })),
        },
      }),
    ])

const program = (user?: string) => (ctx: Ctx) =>
  submit(ctx, { kind: 'wmi', name: 'wmi' }, [
    observed(ctx, {
      software: {
        complete: ['windows'],
        items: [{ origin: 'windows', name: 'Code', version: '1', ...(user && { user }) }],
      },
    }),
  ])

async function sweep(ctx: Ctx, finishedAt: Date): Promise<void> {
  const { id } = await ctx.db.one(sql<{ id: string }>`
    insert into scans (tenant_id, target_kind, target_address, target_entries, target_exclusions, type, message, status)
    values (${ctx.tenantId}, 'range', '10.7.0.0/24', array['10.7.0.0/24'], array['10.7.0.9'], 'sweep', '', 'running')
    returning id`)
  await finishScan({ ...ctx, now: () => finishedAt }, id, { move: 'complete', message: '' })
}

const offers = (fingerprint: string) => (ctx: Ctx) =>
  knowHostKey(
    ctx,
    { address: ADDRESS, port: 22, algorithm: 'ssh-ed25519', fingerprint },
    { scanId: newUuid(ctx.now()), names: [], isToAsk: false },
  )

async function neighbour(ctx: Ctx, name: string): Promise<void> {
  await submit(ctx, { kind: 'snmp', name: 'snmp' }, [
    observed(ctx, {
      facts: { neighbours: [{ by: 'lldp', localInterface: 'ge-0/0/1', remoteName: name }] },
    }),
  ])
  await deriveLinks(ctx)
}

async function entitled(ctx: Ctx, assetId: string, count: number): Promise<void> {
  const { id } = await saveEntitlement(ctx, { product: 'Office', metric: 'device', count })
  await assignEntitlement(ctx, { entitlementId: id, assetIds: [assetId] })
}

const cases: readonly Facts[] = [
  { check: 'approved-asset', failing: record({ approved: 'no' }), inOrder: record({ approved: 'Yes' }) },
  {
    check: 'external-assessed-90d',
    failing: record({ externallyScannedOn: inDays(-120).slice(0, 10) }),
    inOrder: record({ externallyScannedOn: inDays(-9).slice(0, 10) }),
  },
  {
    check: 'discovery-weekly',
    failing: (ctx) => sweep(ctx, new Date(Date.now() - 9 * DAY_MS)),
    inOrder: (ctx) => sweep(ctx, new Date()),
  },
  { check: 'no-per-user', family: 'windows', failing: program('ann'), inOrder: program() },
  {
    check: 'licensed',
    failing: (ctx, id) => entitled(ctx, id, 0),
    inOrder: (ctx) => ctx.db.run(sql`update entitlements set count = 5 where tenant_id = ${ctx.tenantId}`),
  },
  {
    check: 'kernel-is-installed',
    family: 'linux',
    failing: kernels('6.1.0-9-amd64', '6.1.0-18-amd64'),
    inOrder: kernels('6.1.0-9-amd64'),
  },
  {
    check: 'default-snmp',
    failing: told('snmp', { askedBy: 'SNMPv2c', defaultCommunity: true }),
    inOrder: told('snmp', { askedBy: 'SNMPv2c', defaultCommunity: false }),
  },
  {
    check: 'ssh-key-known',
    failing: async (ctx) => {
      await offers('SHA256:one')(ctx)
      await offers('SHA256:two')(ctx)
    },
    inOrder: (ctx) =>
      ctx.db.run(sql`update host_keys set offered_at = null where tenant_id = ${ctx.tenantId}`),
  },
  {
    check: 'neighbours-known',
    deviceType: 'switch',
    failing: (ctx) => neighbour(ctx, 'nobody-knows.example.com'),
    inOrder: async (ctx) => {
      await submit(ctx, { kind: 'csv', name: 'csv' }, [
        {
          sourceKey: 'b',
          seenAt: ctx.now(),
          name: 'core',
          identifiers: [{ type: 'hostname', value: 'core.example.com' }],
        },
      ])
      await neighbour(ctx, 'core.example.com')
    },
  },
  {
    check: 'segment-of-class',
    failing: async (ctx) => {
      await createPlace(ctx, { name: 'Oslo', kind: 'site', networks: ['10.7.0.0/16', '10.0.0.0/8'] })
      await setNetworkTypes(ctx, { network: '10.0.0.0/8', types: ['server'] })
      await setNetworkTypes(ctx, { network: '10.7.0.0/16', types: ['printer', 'ot_device'] })
    },
    inOrder: (ctx) => setNetworkTypes(ctx, { network: '10.7.0.0/16', types: ['printer', 'server'] }),
  },
]

async function verdict(ctx: Ctx, check: string): Promise<Verdict> {
  await evaluateNow(ctx)
  const found = (await listChecks(ctx, 'nist-csf-2.0')).find(({ id }) => id === check)
  if (!found) throw new Error(`no check ${check}`)
  return found.ok > 0 ? 'ok' : found.failed > 0 ? 'failed' : found.unknown > 0 ? 'unknown' : 'not in scope'
}

test.each(cases)(
  '$check: unknown, failing, in order',
  async ({ check, deviceType = 'server', family = 'linux', failing, inOrder }) => {
    const ctx = await home().newTenant()
    await adoptFramework(ctx, 'nist-csf-2.0')
    await submit(ctx, { kind: 'csv', name: 'list' }, [observed(ctx)])
    const { id } = await ctx.db.one(
      sql<{ id: string }>`select id from assets where tenant_id = ${ctx.tenantId}`,
    )
    await setAssetWeight(ctx, { assetId: id, criticality: 'high', exposure: 'internet' })
    const verdicts: Verdict[] = []
    const look = async (): Promise<void> => {
      await ctx.db.run(sql`
        update assets set device_type = ${deviceType}, os_family = ${family}
        where tenant_id = ${ctx.tenantId} and id = ${id}`)
      verdicts.push(await verdict(ctx, check))
    }
    await look()
    await failing(ctx, id)
    await look()
    await inOrder(ctx, id)
    await look()
    expect(verdicts).toEqual(['unknown', 'failed', 'ok'])
  },
)

test('a sweep notes the networks that it went through, without what was excluded', async () => {
  const ctx = await home().newTenant()
  await sweep(ctx, ctx.now())
  const networks = await ctx.db.all(sql<{ network: string }>`
    select text(network) as network from swept_networks where tenant_id = ${ctx.tenantId} order by swept_networks.network`)
  expect(networks.map(({ network }) => network)).toEqual([
    '10.7.0.0/29',
    '10.7.0.8/32',
    '10.7.0.10/31',
    '10.7.0.12/30',
    '10.7.0.16/28',
    '10.7.0.32/27',
    '10.7.0.64/26',
    '10.7.0.128/25',
  ])
})
