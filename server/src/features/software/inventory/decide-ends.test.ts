import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { lifecyclesOf } from '../end-of-life.ts'
import { decideEnds } from './decide-ends.ts'
import { softwareAfter } from './ends-store.ts'

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
