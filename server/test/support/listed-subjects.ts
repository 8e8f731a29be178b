import { sql } from 'kysely'
import { createCheck } from '#features/compliance/checks/own-checks.ts'
import { createToken } from '#features/agents/agents.ts'
import { anyResource } from '#features/cloud/cloud.fixture.ts'
import { adoptFramework, evaluateNow } from '#features/compliance/compliance.ts'
import { liveFlow } from '#features/flows/flows.fixture.ts'
import { createPartnerKey, revokePartnerKey } from '#features/partners/partner-keys.ts'
import { createPartner, updatePartner } from '#features/partners/partners.ts'
import { work } from '#features/reports/reports.fixture.ts'
import { createReport } from '#features/reports/reports.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'

export const FRAMEWORK = 'nist-csf-2.0'
const HOUR_MS = 3_600_000

/** Some runs of flows and discoveries, scans, reports, checks, resources of clouds, agents and partners, in every state that lists tell apart. */
export async function addListed(ctx: Ctx): Promise<void> {
  await addAssets(ctx)
  await addFlowRuns(ctx)
  await addScans(ctx)
  await addDiscoveryRuns(ctx)
  await addReports(ctx)
  await addChecks(ctx)
  await addCloudResources(ctx)
  await addAgents(ctx)
  await addPartners(ctx)
}

const agoOf = (ctx: Ctx) => (hours: number) => new Date(ctx.now().getTime() - hours * HOUR_MS)

async function addAssets(ctx: Ctx): Promise<void> {
  await submit(
    ctx,
    { kind: 'csv', name: 'list' },
    ['ACME10017', 'BOLT20018'].map((serial) => ({
      sourceKey: serial,
      seenAt: ctx.now(),
      name: `srv-${serial}`,
      identifiers: [{ type: 'serial' as const, value: serial }],
    })),
  )
}

async function addFlowRuns(ctx: Ctx): Promise<void> {
  const ago = agoOf(ctx)
  const steps = [{ action: 'add_tags', with: { tags: ['x'] } }]
  const trigger = { kind: 'event', eventTypes: ['NEW_ASSET'] }
  const tagging = await liveFlow(ctx, { trigger, steps }, 'Tag  NEW ones')
  const other = await liveFlow(ctx, { trigger, steps }, 'Tell Café')
  const { id: assetId } = await ctx.db.one(sql<{ id: string }>`
    select id from assets where tenant_id = ${ctx.tenantId} and name = 'srv-ACME10017'`)
  const runs = [
    { flow: tagging.id, status: 'succeeded', cause: 'NEW_ASSET', asset: assetId, at: 1, took: 10 },
    {
      flow: tagging.id,
      status: 'failed',
      cause: 'NEW_ASSET',
      asset: assetId,
      at: 3,
      took: 100,
      reason: 'Timed OUT',
    },
    { flow: other.id, status: 'failed', cause: 'manual', asset: null, at: 30, took: 1 },
    { flow: other.id, status: 'pending', cause: 'schedule', asset: null, at: 0.5, took: null },
    { flow: other.id, status: 'new', cause: 'schedule', asset: null, at: 0.1, took: null },
  ]
  for (const it of runs)
    await ctx.db.run(sql`
      insert into flow_runs (tenant_id, id, flow_id, version, status, cause, dedupe_key, chain, asset_id, context,
        created_at, started_at, finished_at, reason)
      values (${ctx.tenantId}, ${newUuid(ctx.now())}, ${it.flow}, 1, ${it.status}, ${it.cause}, ${newUuid(ctx.now())},
        '{}', ${it.asset}, '{"event": {}, "steps": {}}', ${ago(it.at)},
        ${it.took === null ? null : ago(it.at)}::timestamptz,
        ${it.took === null ? null : ago(it.at - it.took / 3_600)}::timestamptz, ${it.reason ?? null})`)
}

async function addScans(ctx: Ctx): Promise<void> {
  const ago = agoOf(ctx)
  const scans = [
    { type: 'sweep', status: 'completed', target: '10.0.0.0/24', kind: 'cidr', hosts: 12, at: 5, took: 90 },
    { type: 'ssh', status: 'failed', target: 'Db-1.example.com', kind: 'host', hosts: 0, at: 4, took: 3 },
    { type: 'sweep', status: 'pending', target: '10.1.0.0/24', kind: 'cidr', hosts: 0, at: 0.1, took: null },
  ]
  for (const it of scans)
    await ctx.db.run(sql`
      insert into scans (tenant_id, target_kind, target_address, type, status, message, asset_count, created_at,
        started_at, finished_at)
      values (${ctx.tenantId}, ${it.kind}, ${it.target}, ${it.type}, ${it.status},
        ${it.status === 'failed' ? 'Permission denied' : 'said'}, ${it.hosts}, ${ago(it.at)},
        ${it.took === null ? null : ago(it.at)}::timestamptz,
        ${it.took === null ? null : ago(it.at - it.took / 3_600)}::timestamptz)`)
}

async function addDiscoveryRuns(ctx: Ctx): Promise<void> {
  const ago = agoOf(ctx)
  const runs = [
    {
      name: 'Nightly  OSLO',
      cause: 'schedule',
      status: 'completed',
      found: 20,
      refused: 3,
      fresh: 2,
      at: 20,
    },
    { name: 'Nightly  OSLO', cause: 'schedule', status: 'failed', found: 0, refused: 0, fresh: null, at: 10 },
    { name: 'scan now', cause: 'scan_now', status: 'running', found: 1, refused: 0, fresh: null, at: 0.1 },
  ]
  for (const it of runs)
    await ctx.db.run(sql`
      insert into discovery_runs (tenant_id, id, name, normalized_name, cause, entries, exclusions, types, hosts_at_once,
        zone, windows, status, hosts_found, refused, new_hosts, created_at, started_at, finished_at)
      values (${ctx.tenantId}, ${newUuid(ctx.now())}, ${it.name}, ${it.name.toLowerCase().replaceAll(/\s+/g, ' ')},
        ${it.cause}, '{10.9.0.0/24}', '{}', '{ssh}', 16, 'UTC', '[]', ${it.status}, ${it.found}, ${it.refused},
        ${it.fresh}, ${ago(it.at)}, ${ago(it.at)}, ${it.status === 'running' ? null : ago(it.at - 1)}::timestamptz)`)
}

async function addPartners(ctx: Ctx): Promise<void> {
  const of = (name: string, slug: string) => ({ name, slug, email: `IT@${slug}.example` })
  const { id } = await createPartner(ctx, of('Åse  Support', 'ase'))
  await createPartner(ctx, { ...of('Zenith', 'zenith'), quotaLimit: 500 })
  const used = await createPartnerKey(ctx, id, { scopes: ['partner:read'] })
  const revoked = await createPartnerKey(ctx, id, { scopes: ['partner:read'] })
  await revokePartnerKey(ctx, id, revoked.key.id)
  await ctx.db.run(sql`
    update partner_keys set last_used_at = ${agoOf(ctx)(50)}
    where tenant_id = ${ctx.tenantId} and id = ${used.key.id}`)
  await updatePartner(ctx, id, { apiEnabled: false })
}

async function addReports(ctx: Ctx): Promise<void> {
  const { id } = await createReport(ctx, { name: 'Assets of  ÅLESUND', type: 'custom', format: 'csv' })
  await work(ctx, id)
  await createReport(ctx, { name: 'Budget', type: 'budget_forecast', format: 'pdf' })
}

async function addChecks(ctx: Ctx): Promise<void> {
  await adoptFramework(ctx, FRAMEWORK)
  await createCheck(ctx, {
    title: 'Serial numbers  begin with A',
    scope: '',
    condition: 'serial : acme',
    severity: 'high',
    next: 'Look at the label.',
    controls: [{ framework: FRAMEWORK, controlId: 'GV.PO-01' }],
    tolerance: '0',
  })
  await evaluateNow(ctx)
}

async function addCloudResources(ctx: Ctx): Promise<void> {
  const ago = agoOf(ctx)
  const first = await anyResource(ctx)
  const { connection, scope } = await ctx.db.one(sql<{ connection: string; scope: string }>`
    delete from cloud_resources where tenant_id = ${ctx.tenantId} and id = ${first}
    returning connection_id as connection, scope_id as scope`)
  const resources = [
    { name: 'Web-1', type: 'compute', region: 'westeurope', status: 'Running', tags: ['Env:  Prod'], at: 2 },
    { name: 'web-2', type: 'compute', region: 'northeurope', status: 'stopped', tags: [], at: 40 },
    { name: '', type: 'storage', region: '', status: '', tags: ['env:test', 'Owner:Åse'], at: 0.5 },
  ]
  for (const it of resources)
    await ctx.db.run(sql`
      insert into cloud_resources (tenant_id, id, connection_id, scope_id, provider, account, region, type, native_id,
        machine_id, name, status, tags, facts, run, first_seen, last_seen)
      values (${ctx.tenantId}, ${newUuid(ctx.now())}, ${connection}, ${scope}, 'Azure', '', ${it.region},
        ${it.type}, ${`/Subscriptions/1/${it.name || 'Bucket'}`}, '', ${it.name}, ${it.status}, ${it.tags}::text[], '{}',
        1, ${ago(it.at)}, ${ago(it.at / 2)})`)
}

async function addAgents(ctx: Ctx): Promise<void> {
  const ago = agoOf(ctx)
  const { token } = await createToken(ctx, { name: 'Fleet', kind: 'both', uses: 10 })
  const agents = [
    { kind: 'agent', name: 'Web-1', version: '1.10.0', report: 0.1, seen: 90 },
    { kind: 'agent', name: 'web-2', version: '1.9.2', report: 40, seen: 90, problem: 'Too  LARGE' },
    { kind: 'glpi', name: '', version: '', report: null, seen: 1 },
    { kind: 'agent', name: '', version: '1.9.2', report: null, seen: 0.1, isPending: true },
    { kind: 'osquery', name: 'old', version: '5.1', report: 80, seen: 90, revoked: 2 },
  ]
  for (const [at, it] of agents.entries())
    await ctx.db.run(sql`
      insert into agents (tenant_id, id, kind, device_id, source_key, token_id, name, version, address, problem,
        is_pending, first_seen_at, last_contact_at, last_report_at, revoked_at)
      values (${ctx.tenantId}, ${newUuid(ctx.now())}, ${it.kind}, ${`Device-${at}`}, ${`Device-${at}`}, ${token.id},
        ${it.name}, ${it.version}, ${`10.0.0.${at}`}, ${it.problem ?? ''}, ${it.isPending ?? false}, ${ago(it.seen)},
        ${ago(it.report ?? it.seen)}, ${it.report === null ? null : ago(it.report)}::timestamptz,
        ${it.revoked === undefined ? null : ago(it.revoked)}::timestamptz)`)
}
