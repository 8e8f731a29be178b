import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { countWhere, facets } from '#features/conditions/conditions.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { postXml } from '#test/support/endpoint-agents/agent-messages.ts'
import { listAgents } from './agents.ts'
import { enrolled } from './agents.fixture.ts'

const home = sharedTestApp()
const page = { limit: 50, offset: 0 }

const prolog = (id: string) => `<REQUEST><DEVICEID>${id}</DEVICEID><QUERY>PROLOG</QUERY></REQUEST>`
const inventory = (id: string) =>
  `<REQUEST><CONTENT><HARDWARE><NAME>${id}</NAME></HARDWARE><BIOS><SSN>SN-${id}-4711</SSN></BIOS>
    <VERSIONCLIENT>GLPI-Agent_v1.9</VERSIONCLIENT></CONTENT><DEVICEID>${id}</DEVICEID><QUERY>INVENTORY</QUERY></REQUEST>`

test('agents are asked about by state and by their asset, counted and sorted', async () => {
  const { ctx, address } = await enrolled(home())
  for (const id of ['pc-1', 'pc-2']) await postXml(address, prolog(id))
  await postXml(address, inventory('pc-1'))
  const named = async (where: string, sort?: string, of = ctx) =>
    (await listAgents(of, page, { where, sort })).items.map(({ deviceId }) => deviceId)
  expect(await named('')).toEqual(['pc-1', 'pc-2'])
  expect(await named('', '-name')).toEqual(['pc-2', 'pc-1'])
  expect(await named('state = waiting')).toEqual(['pc-2'])
  expect(await named('state = reporting and asset.serial = "sn-pc-1-4711"')).toEqual(['pc-1'])
  // what has no asset is neither
  expect(await countWhere(ctx, 'agent', 'asset.serial = x')).toEqual({ matching: 0, unknown: 1 })
  expect(await named('not has last_report')).toEqual(['pc-2'])
  expect(await named('PC-2')).toEqual(['pc-2'])
  const later = { ...ctx, now: () => new Date(ctx.now().getTime() + 3 * 86_400_000) }
  expect(await named('state = silent', undefined, later)).toEqual(['pc-1', 'pc-2'])
  expect(await facets(ctx, { subject: 'agent', where: '', fields: ['state'], first: 5 })).toMatchObject([
    {
      values: [
        { value: 'reporting', count: 1 },
        { value: 'waiting', count: 1 },
      ],
      without: 0,
    },
  ])
  await ctx.db.run(sql`
    update agents set version = case device_id when 'pc-1' then 'GLPI-Agent_v1.10' else 'GLPI-Agent_v1.9' end
    where tenant_id = ${ctx.tenantId}`)
  expect(await named('outdated = yes')).toEqual(['pc-2'])
  expect(await named('outdated = no')).toEqual(['pc-1'])
  await ctx.db.run(
    sql`update agents set version = '' where tenant_id = ${ctx.tenantId} and device_id = 'pc-2'`,
  )
  expect(await countWhere(ctx, 'agent', 'outdated = yes')).toEqual({ matching: 0, unknown: 1 })
  const limited = ctx.conditions.limit(ctx, 'serial : "sn-pc-1"')
  await expect(named('state = reporting', undefined, limited)).rejects.toThrow('limited to some of them')
  const other = await home().newTenant()
  expect(await countWhere(other, 'agent', 'has id')).toEqual({ matching: 0, unknown: 0 })
  const reader = { ...ctx, actor: { ...ctx.actor, may: (it: string) => it === 'assets:read' } }
  await expect(countWhere(reader, 'agent', 'has id')).rejects.toThrow('permission required: agents:read')
})
