import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { anyResource } from '../../../src/features/cloud/cloud.fixture.ts'
import { defineCustomField } from '../../../src/features/assets/editing/custom-fields.ts'
import { createFlow } from '../../../src/features/flows/flows.ts'
import { createGroup } from '../../../src/features/assets/groups/groups.ts'
import { attached } from '../../../src/features/records/attachments/attachments.fixture.ts'
import { usesOf } from '../../../src/features/records/entitlements/entitlements.ts'
import {
  assignEntitlement,
  listEntitlements,
  saveContract,
  saveEntitlement,
} from '../../../src/features/records/records.ts'
import { addRelation } from '../../../src/features/topology/topology.ts'
import { submit } from '../../../src/features/sources/sources.ts'
import { findingOf, createFindings } from '../../../src/features/vulnerabilities/findings.fixture.ts'
import { generated } from '../../../src/features/reports/reports.fixture.ts'
import { createPartnerKey } from '../../../src/features/partners/partner-keys.ts'
import { createPartnerWebhook } from '../../../src/features/partners/partner-webhooks.ts'
import { createPartner, listPartners } from '../../../src/features/partners/partners.ts'
import type { Partner } from '../../../src/features/partners/partner.ts'
import { createScan, createTarget } from '../../../src/features/scans/scans.ts'
import type { Ctx } from '../../../src/platform/context.ts'

/**
 * How a thing of a path such as `/assets/:id` comes to be, by the noun before the parameter; answers its id. What stands
 * behind another thing in a path belongs to the newest of these.
 */
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
  partners: async (ctx) => (await anyPartner(ctx)).id,
  async keys(ctx) {
    const { key } = await createPartnerKey(ctx, await newestPartner(ctx), { scopes: ['partner:read'] })
    return key.id
  },
  async webhooks(ctx) {
    const hook = { name: 'hook', url: 'http://127.0.0.1:9/', events: ['UNLINK'] }
    const { endpoint } = await createPartnerWebhook(ctx, await newestPartner(ctx), hook)
    return endpoint.id
  },
  flows: async (ctx) =>
    (await createFlow(ctx, { name: randomBytes(6).toString('hex'), definition: STOP })).id,
  'custom-fields': async (ctx) =>
    (await defineCustomField(ctx, { name: randomBytes(6).toString('hex'), kind: 'text' })).id,
  groups: async (ctx) =>
    (await createGroup(ctx, { name: randomBytes(6).toString('hex'), condition: 'has serial' })).id,
  contracts: async (ctx) => (await saveContract(ctx, { name: randomBytes(6).toString('hex') })).id,
  entitlements: async (ctx) => (await anyEntitlement(ctx)).id,
  async uses(ctx) {
    const { id: entitlementId } = await newestEntitlement(ctx)
    const assetId = (await restRecordFactories['assets']?.(ctx)) ?? ''
    await assignEntitlement(ctx, { entitlementId, assetIds: [assetId] })
    return (await usesOf(ctx, entitlementId)).at(-1)?.id ?? ''
  },
  async relations(ctx) {
    const make = restRecordFactories['assets']
    const [fromId = '', toId = ''] = [await make?.(ctx), await make?.(ctx)]
    return (await addRelation(ctx, { fromId, kind: 'runs_on', toId })).id ?? ''
  },
  async attachments(ctx) {
    const assetId = await restRecordFactories['assets']?.(ctx)
    return (await attached(ctx, { assetId })).id
  },
  quota: (ctx) => Promise.resolve(ctx.tenantId),
}

const STOP = { trigger: { kind: 'manual' }, steps: [{ action: 'stop' }] }

const anyEntitlement = (ctx: Ctx) =>
  saveEntitlement(ctx, { product: randomBytes(6).toString('hex'), metric: 'device' })

/** Ids grow with time. */
async function newestEntitlement(ctx: Ctx): Promise<{ readonly id: string }> {
  const ids = (await listEntitlements(ctx)).map(({ id }) => id).toSorted()
  return { id: ids.at(-1) ?? (await anyEntitlement(ctx)).id }
}

function anyPartner(ctx: Ctx): Promise<Partner> {
  const slug = randomBytes(6).toString('hex')
  return createPartner(ctx, { name: 'a partner', slug, email: 'a@partner.example' })
}

async function newestPartner(ctx: Ctx): Promise<string> {
  const { items } = await listPartners(ctx, { limit: 1, offset: 0 })
  return (items[0] ?? (await anyPartner(ctx))).id
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
  'POST /custom-fields/:id/values': (idOf) => ({ assetIds: [idOf('assets')], value: 'x' }),
  'PATCH /custom-fields/:id': () => ({ name: 'x' }),
  'PUT /custom-fields': (idOf) => ({ ids: [idOf('custom-fields')] }),
  'PATCH /groups/:id': () => ({ name: 'x' }),
  'POST /assets/:id/relations': (idOf) => ({ kind: 'runs_on', toId: idOf('assets') }),
  'PATCH /contracts/:id': () => ({ name: 'x' }),
  'POST /entitlements': (idOf) => ({ product: 'x', metric: 'device', contractId: idOf('contracts') }),
  'PATCH /entitlements/:id': (idOf) => ({ contractId: idOf('contracts') }),
  'POST /entitlements/:id/uses': (idOf) => ({ assetIds: [idOf('assets')] }),
  'POST /assets/:id/attachments': () => ({ name: 'a.txt', content: 'eA==' }),
  'POST /contracts/:id/attachments': () => ({ name: 'a.txt', content: 'eA==' }),
  'PUT /assets/:id/custom-fields/:fieldId': () => ({ value: 'x' }),
  'POST /flows/import': () => ({ schema: 'rollcall.flow/1', name: 'f', definition: STOP }),
  'POST /scans': (idOf) => ({ type: 'sweep', target: idOf('targets') }),
}
