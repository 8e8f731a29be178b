import { expect, test } from 'vitest'
import { countWhere, facets } from '#features/conditions/conditions.ts'
import { azureValues, startAzure } from '#test/support/cloud-providers/azure-replay.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { connectAndRead } from './cloud.fixture.ts'
import { listResourceDetails } from './cloud.ts'

const home = sharedTestApp()
const PAGE = { limit: 100, offset: 0 }

test('cloud resources are asked about, also by their asset, counted and sorted; a limited role sees its own', async () => {
  const ctx = await home().newTenant()
  const azure = await startAzure(2)
  await connectAndRead(ctx, {
    name: 'ours',
    provider: 'Azure',
    signIn: 'client_secret',
    values: azureValues(azure),
  })
  const named = async (where: string, sort?: string, of = ctx) =>
    (await listResourceDetails(of, PAGE, { where, sort })).items.map(({ name }) => name)
  expect(await named('type = compute and tag = env:prod', '-name')).toEqual(['vm1', 'vm0'])
  expect(await named('VM0')).toEqual(['vm0'])
  expect(await named('provider = azure and type = storage')).toEqual(['sto1', 'sto1'])
  expect(await named('asset.os : windows')).toContain('vm0')
  expect(await countWhere(ctx, 'cloud_resource', 'status = running')).toMatchObject({ unknown: 0 })
  const all = await named('', 'name')
  expect(await named('', '-name')).toEqual(all.toReversed())
  const [type] = await facets(ctx, { subject: 'cloud_resource', where: '', fields: ['type'], first: 9 })
  expect(type?.values.reduce((sum, it) => sum + it.count, 0)).toBe(all.length)
  const limited = ctx.conditions.limit(ctx, 'name = vm0')
  expect(await named('', undefined, limited)).toEqual(['vm0'])
  const other = await home().newTenant()
  expect(await countWhere(other, 'cloud_resource', 'has id')).toEqual({ matching: 0, unknown: 0 })
  const reader = { ...ctx, actor: { ...ctx.actor, may: (it: string) => it === 'assets:read' } }
  await expect(countWhere(reader, 'cloud_resource', 'has id')).rejects.toThrow(
    'permission required: cloud:read',
  )
})
