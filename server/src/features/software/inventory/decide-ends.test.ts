import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { agent, seen } from '#features/assets/observations.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { lifecyclesOf } from '../end-of-life.ts'
import { decideEnds } from './decide-ends.ts'
import { softwareAfter, systems } from './ends-store.ts'

const home = sharedTestApp()
const SOME = 5_001

test('the ends of all software are looked up, however much there is', async () => {
  const ctx = await home().newTenant()
  await ctx.db.run(sql`
    insert into software (tenant_id, digest, origin, ecosystem, name, version, arch, source_name, source_version, vendor,
      purl, cpe, vendor_key, product_key, first_seen)
    select ${ctx.tenantId}, decode(md5(n::text), 'hex'), 'npm', 'npm', 'package-' || n, '1.0', '', '', '', '', '', '', '', '',
      ${ctx.now()} from generate_series(1, ${SOME}::int) n`)
  const undecided = () => softwareAfter(ctx, { last: 0, limit: 2 * SOME, isAll: false })
  expect(await undecided()).toHaveLength(SOME)
  await decideEnds(ctx, lifecyclesOf([]), 'all')
  expect(await undecided()).toEqual([])
})

test('when support of a system ends is known of its assets, and written anew when the lists say otherwise', async () => {
  const ctx = await home().newTenant()
  const release = { id: 'debian', versionId: '11', prettyName: 'Debian GNU/Linux 11 (bullseye)' }
  const report = { software: { release, complete: ['dpkg' as const], items: [] } }
  await submit(ctx, agent, [seen('a', { serial: 'SN-ends-a', hostname: 'a.example' }, report)])
  const debian = (endsOn: string) =>
    lifecyclesOf([
      {
        product: 'debian',
        label: 'Debian',
        identifiers: [],
        releases: [{ cycle: '11', label: '11', endsOn }],
      },
    ])
  const endingBefore = async (day: string) =>
    (await listAssets(ctx, { limit: 9, offset: 0 }, { where: `os_eol < ${day}` })).total
  expect(await systems(ctx, false)).toEqual([release])
  await decideEnds(ctx, debian('2024-08-14'), 'new')
  expect(await systems(ctx, false)).toEqual([])
  expect([await endingBefore('2024-08-14'), await endingBefore('2024-08-15')]).toEqual([0, 1])
  // those alone that were reported since
  await decideEnds(ctx, debian('2026-08-31'), 'new')
  expect(await endingBefore('2024-08-15')).toBe(1)
  await decideEnds(ctx, debian('2026-08-31'), 'all')
  expect([await endingBefore('2024-08-15'), await endingBefore('2026-09-01')]).toEqual([0, 1])
})
