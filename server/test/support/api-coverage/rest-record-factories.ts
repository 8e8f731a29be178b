import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { anyResource } from '../../../src/features/cloud/cloud.fixture.ts'
import { submit } from '../../../src/features/sources/sources.ts'
import { findingOf, createFindings } from '../../../src/features/vulnerabilities/findings.fixture.ts'
import { generated } from '../../../src/features/reports/reports.fixture.ts'
import { createScan, createTarget } from '../../../src/features/scans/scans.ts'
import type { Ctx } from '../../../src/platform/context.ts'

/** How a thing of a path such as `/assets/:id` comes to be, by the noun before the parameter; answers its id. */
export const restRecordFactories: Readonly<Record<string, (ctx: Ctx) => Promise<string>>> = {
  async assets(ctx) {
    const name = `host-${randomBytes(6).toString('hex')}`
    await submit(ctx, { kind: 'csv', name: 'test' }, [
      {
        sourceKey: name,
        seenAt: new Date(),
        assetType: 'device',
        name,
        identifiers: [{ type: 'serial', value: name }],
      },
    ])
    const { id } = await ctx.db.one(sql<{ id: string }>`
      select id from assets where tenant_id = ${ctx.tenantId} and name = ${name}`)
    return id
  },
  scans: async (ctx) => (await createScan(ctx, { type: 'sweep', targetId: await anyTarget(ctx) })).id,
  vulnerabilities: async (ctx) => findingOf(ctx, await createFindings(ctx)),
  targets: anyTarget,
  'cloud-resources': anyResource,
  reports: async (ctx) => (await generated(ctx, { name: 'a report', type: 'asset_audit' })).report.id,
}

async function anyTarget(ctx: Ctx): Promise<string> {
  const [a, b] = randomBytes(2)
  return (await createTarget(ctx, { name: 'a net', cidr: `198.18.${a}.${b}/32` })).id
}

/** A query that an endpoint cannot do without. */
export const queries: Readonly<Record<string, string>> = {
  'GET /assets/search': '?q=host',
  'GET /assets/export': '?format=csv',
  'GET /assets/:id/export': '?format=csv',
  'GET /vulnerabilities/export': '?format=csv',
}

/** Bodies that name things by id, given a way to an id of each noun. */
export const bodies: Readonly<Record<string, (idOf: (noun: string) => string) => unknown>> = {
  'POST /scans': (idOf) => ({ type: 'sweep', target: idOf('targets') }),
}
