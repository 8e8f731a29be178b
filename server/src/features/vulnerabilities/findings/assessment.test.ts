import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { assessAssets, assessment } from './assessment.ts'
import { install, createAsset, createSoftware } from '../findings.fixture.ts'

test('issue 9: no findings means something only where software was read and advisories were matched', async () => {
  const { newTenant, runtime } = await testApp()
  const ctx = await newTenant()
  const [bare, read] = [await createAsset(ctx), await createAsset(ctx)]
  await install(ctx, read, [await createSoftware(ctx)])
  const states = async () => {
    const all = await assessAssets(ctx, [bare, read])
    return [bare, read].map((id) => all.find(({ assetId }) => assetId === id)?.state)
  }

  expect(await states()).toEqual(['no_software', 'no_advisories'])
  expect(await assessment(ctx)).toEqual({ hasAdvisories: false, assets: 2, assetsWithSoftware: 1 })

  await runtime.system.db.run(sql`
    insert into advisories (feed, key, id, parts, digest, state, is_disputed, cve_ids, body)
    values ('debian', 'CVE-1', 'CVE-1', array['p'], '', 'published', false, array['CVE-1'], '{}'::json)`)
  await runtime.system.db.run(sql`
    insert into advisory_rules (ecosystem, package, feed, key, advisory_id, cve_ids, is_disputed, rules)
    values ('Debian:12', 'bash', 'debian', 'CVE-1', 'CVE-1', array['CVE-1'], false, '[]'::json)`)
  expect(await states()).toEqual(['no_software', 'pending'])

  const observed = sql`select id from asset_observations where tenant_id = ${ctx.tenantId} and asset_id = ${read}`
  const runs = (ecosystem: string) =>
    ctx.db.run(sql`
      insert into software_systems (tenant_id, observation_id, os_id, version_id, codename, pretty_name, kernel, ecosystem, reported_at)
      select ${ctx.tenantId}, id, 'x', '1', '', '', '', ${ecosystem}, ${ctx.now()} from (${observed}) o
      on conflict (tenant_id, observation_id) do update set ecosystem = excluded.ecosystem`)
  await ctx.db.run(sql`
    insert into matching_cursors (tenant_id, changes_seen, matched_at) values (${ctx.tenantId}, 0, ${ctx.now()})
    on conflict (tenant_id) do nothing`)
  expect(await states()).toEqual(['no_software', 'no_distribution_advisories'])
  await runs('Debian:12')
  expect(await states()).toEqual(['no_software', 'assessed'])
  await ctx.db.run(sql`
    insert into matching_due (tenant_id, asset_id, marked_at) values (${ctx.tenantId}, ${read}, ${ctx.now()})`)
  expect(await states()).toEqual(['no_software', 'pending'])

  await ctx.db.run(sql`delete from matching_due where tenant_id = ${ctx.tenantId}`)
  for (const ecosystem of ['Ubuntu:22.04', '']) {
    await runs(ecosystem)
    expect(await states()).toEqual(['no_software', 'no_distribution_advisories'])
  }

  const listed = async (ecosystem: string) => {
    const software = await createSoftware(ctx, { name: `listed-${ecosystem}`, origin: 'sbom', ecosystem })
    await ctx.db.run(sql`update software set purl = 'pkg:deb/debian/bash@5' where id = ${software}`)
    await install(ctx, read, [software], 'sbom')
  }
  await runs('Debian:12')
  for (const ecosystem of ['Ubuntu:22.04', '']) {
    await listed(ecosystem)
    expect(await states()).toEqual(['no_software', 'no_distribution_advisories'])
  }
  await listed('Debian:12')
  expect(await states()).toEqual(['no_software', 'assessed'])

  const other = await newTenant()
  await expect(assessAssets(other, [bare])).rejects.toThrow('asset not found')
  expect(await assessment(other)).toMatchObject({ hasAdvisories: true, assets: 0, assetsWithSoftware: 0 })
})

test('at most 500 assets are asked for at once', async () => {
  const ctx = await (await testApp()).newTenant()
  await expect(
    assessAssets(
      ctx,
      Array.from({ length: 501 }, () => 'x'),
    ),
  ).rejects.toThrow('asset_ids')
})
