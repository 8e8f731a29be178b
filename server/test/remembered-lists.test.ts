import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { archiveAsset, deleteAsset, listAssets, reviveAsset } from '#features/assets/assets.ts'
import { mergeAssets } from '#features/assets/editing/merge-and-unlink.ts'
import { addTags, removeTags } from '#features/assets/editing/tags.ts'
import { setRecords } from '#features/records/records.ts'
import { submit } from '#features/sources/sources.ts'
import { createMatches, createSoftware, install, sync } from '#features/vulnerabilities/findings.fixture.ts'
import { every, jobs } from '#features/vulnerabilities/jobs.ts'
import { createOverride } from '#features/vulnerabilities/vulnerabilities.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'

/**
 * Lists with a condition are worked out once and then brought up to date. Whatever happens to the tenant, they say what
 * they would say if they were worked out anew.
 */

const home = sharedTestApp()
const page = { limit: 50, offset: 0 }
const HOSTS = 12

const conditions = [
  'os:linux',
  'not has os',
  'tag = prod and os:linux',
  'hostname:srv',
  'archived = yes',
  'archived = yes or archived = no',
  'any finding(severity = critical)',
  'open_findings > 0 or tag = prod',
  'no software(name = openssl)',
  'owner = "team 1"',
  'risk > 0',
  'source = net or port = 443',
]

/** The same numbers each time. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const host = (n: number, { os = '', tags = [] as string[], at = new Date() } = {}) => ({
  sourceKey: `host-${n}`,
  seenAt: at,
  assetType: 'device' as const,
  os,
  tags,
  identifiers: [
    { type: 'serial' as const, value: `SN-${n}-REMEMBERED` },
    { type: 'hostname' as const, value: `${n % 2 ? 'srv' : 'lap'}-${n}` },
  ],
})

const livingIds = async (ctx: Ctx): Promise<string[]> =>
  (
    await ctx.db.all(sql<{ id: string }>`select id from assets where tenant_id = ${ctx.tenantId} order by id`)
  ).map(({ id }) => id)

type Lists = Record<string, { readonly total: number; readonly ids: readonly string[] }>

async function lists(ctx: Ctx): Promise<Lists> {
  const found: Lists = {}
  for (const where of conditions) {
    const { items, total } = await listAssets(ctx, page, { where })
    found[where] = { total, ids: items.map(({ id }) => id) }
  }
  return found
}

/** Inside of a transaction nothing is remembered. */
const anew = (ctx: Ctx) => ctx.db.transaction((db) => lists({ ...ctx, db }))

test('lists that were remembered say what is true now, whatever changed', async () => {
  const ctx = await home().newTenant()
  const random = randomNumbers(7)
  const pick = <T>(from: readonly T[]): T | undefined => from[random(from.length)]
  const software = await createSoftware(ctx, { name: 'openssl' })
  const source = { kind: 'csv', name: 'list' }
  await submit(
    ctx,
    source,
    Array.from({ length: HOSTS }, (_, n) => host(n, { os: n % 3 ? 'Debian GNU/Linux 12' : '' })),
  )
  const steps: readonly ((id: string) => Promise<unknown>)[] = [
    () => submit(ctx, source, [host(random(HOSTS), { os: pick(['', 'Ubuntu Linux', 'Windows 11']) ?? '' })]),
    () => submit(ctx, { kind: 'sweep', name: 'net' }, [host(random(HOSTS), { tags: ['prod'] })]),
    () => submit(ctx, source, [host(random(HOSTS) + HOSTS)]),
    (id) => addTags(ctx, { assetIds: [id], tags: ['prod'] }),
    (id) => removeTags(ctx, { assetIds: [id], tags: ['prod'] }),
    (id) => setRecords(ctx, { assetIds: [id], values: { owner: `Team ${random(2)}` } }),
    (id) => archiveAsset(ctx, id),
    (id) => reviveAsset(ctx, id),
    (id) => deleteAsset(ctx, id),
    async (id) => {
      const other = pick((await livingIds(ctx)).filter((it) => it !== id))
      if (other) await mergeAssets(ctx, { assetIdA: id, assetIdB: other, reason: 'the same' })
    },
    (id) => install(ctx, id, [software]),
    async (id) => {
      await createMatches(ctx, software, [
        { cveId: `CVE-2026-${1_000 + random(3)}`, score: pick([9.8, 5]) ?? 5 },
      ])
      await sync(ctx, id)
    },
  ]
  await lists(ctx)
  for (const [step, change] of steps.entries()) {
    await change(pick(await livingIds(ctx)) ?? '')
    expect({ step, ...(await lists(ctx)) }).toEqual({ step, ...(await anew(ctx)) })
  }
}, 120_000)

test('lists that were remembered see an override end by itself', async () => {
  const { runtime, newTenant } = home()
  const ctx = await newTenant()
  await submit(ctx, { kind: 'csv', name: 'list' }, [host(0)])
  const [id = ''] = await livingIds(ctx)
  const software = await createSoftware(ctx, { name: 'openssl' })
  await install(ctx, id, [software])
  await createMatches(ctx, software, [{ cveId: 'CVE-2026-2000', score: 9.8 }])
  await sync(ctx, id)
  const expiresAt = new Date(ctx.now().getTime() + 60_000).toISOString()
  await createOverride(ctx, { kind: 'accepted_risk', cveId: 'CVE-2026-2000', reason: 'r', expiresAt })
  const open = async () => (await listAssets(ctx, page, { where: 'open_findings > 0' })).total
  expect(await open()).toBe(0)
  const now = () => new Date(Date.parse(expiresAt) + 1)
  const name = 'vulnerabilities.endExpired'
  await every.find((it) => it.name === name)?.run({ ...runtime.system, now })
  await jobs.find(({ job }) => job.name === name)?.run({ ...ctx, now }, {}, AbortSignal.timeout(60_000))
  expect(await open()).toBe(1)
})
