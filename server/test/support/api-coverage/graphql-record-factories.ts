import { generated } from '../../../src/features/reports/reports.fixture.ts'
import { latestSnapshots } from '#features/reports/reports.ts'
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { createToken, enrolAgent } from '../../../src/features/agents/agents.ts'
import { createKey } from '../../../src/features/api-keys/api-keys.ts'
import { createGroup } from '../../../src/features/assets/groups/groups.ts'
import { defineCustomField } from '../../../src/features/assets/editing/custom-fields.ts'
import {
  listRememberedNames,
  mergeByName,
} from '../../../src/features/assets/remembered-names/remembered-names.ts'
import { saveView } from '../../../src/features/conditions/views/saved-views.ts'
import { cancelBulkChange, startBulkChange } from '../../../src/features/bulk-changes/bulk-changes.ts'
import { anyConnection } from '../../../src/features/cloud/cloud.fixture.ts'
import { statementFactories } from './statement-factories.ts'
import { createCheck } from '../../../src/features/compliance/checks/own-checks.ts'
import {
  createException,
  setExceptionsNeedApproval,
} from '../../../src/features/compliance/exceptions/exceptions.ts'
import { createCredential, lendTo } from '../../../src/features/credentials/credentials.ts'
import { listHostKeys } from '../../../src/features/credentials/host-keys/host-keys.ts'
import { importKnownHosts, listKnownHosts } from '../../../src/features/credentials/host-keys/known-hosts.ts'
import { createDiscovery, startDiscovery } from '../../../src/features/discoveries/discoveries.ts'
import { emit } from '../../../src/features/events/events.ts'
import {
  createFlow,
  listRuns,
  publishFlow,
  setFlowEnabled,
  startFlow,
  cancelRun,
} from '../../../src/features/flows/flows.ts'
import { createRule } from '../../../src/features/notice-rules/notice-rules.ts'
import { createChannel } from '../../../src/features/notices/notices.ts'
import { startBackTest } from '../../../src/features/flows/back-test/back-tests.ts'
import { requestApproval } from '../../../src/features/flows/approvals/approvals.ts'
import { setFlowSecret } from '../../../src/features/flows/secrets/flow-secrets.ts'
import { admitRuns } from '../../../src/features/flows/triggers/admit-runs.ts'
import { upload, work } from '../../../src/features/imports/uploads.fixture.ts'
import { saveContract, saveEntitlement } from '../../../src/features/records/entitlements/entitlements.ts'
import { createPlace } from '../../../src/features/records/places/places.ts'
import { inviteUser } from '../../../src/features/tenancy/members/invitations.ts'
import { createRole } from '../../../src/features/tenancy/roles/roles.ts'
import { createCollector } from '../../../src/features/collectors/collectors.ts'
import { createTarget } from '../../../src/features/scans/scans.ts'
import { assetsOfKeys, submit } from '../../../src/features/sources/sources.ts'
import { addRelation } from '../../../src/features/topology/topology.ts'
import { createOverride } from '../../../src/features/vulnerabilities/overrides/overrides.ts'
import { createEndpoint, listDeliveries } from '../../../src/features/webhooks/webhooks.ts'
import { atomically, type Ctx } from '../../../src/platform/context.ts'
import { newPerson } from '../http/browser-session.ts'
import type { TestApp } from '../app/test-app.ts'
import { makePhone, nameOfLastPhone } from './phone-records.ts'
import { restRecordFactories } from './rest-record-factories.ts'
import { PUBLIC_KEY, type Noun } from './graphql-operations.ts'
import { PERSON } from '../http/graphql-client.ts'

const MANUAL_FLOW = { trigger: { kind: 'manual' }, steps: [{ action: 'wait', minutes: 1 }] }

type Maker = (app: TestApp, ctx: Ctx) => Promise<string>

const word = (): string => randomBytes(6).toString('hex')
const made = (noun: string): Maker => {
  const make = restRecordFactories[noun]
  if (!make)
    throw new Error(
      `test/support/api-coverage/rest-record-factories.ts does not say how to make one of ${noun}`,
    )
  return (_, ctx) => make(ctx)
}
const idOf =
  (make: (ctx: Ctx) => Promise<{ readonly id: string }>): Maker =>
  async (_, ctx) =>
    (await make(ctx)).id

const webhook = (ctx: Ctx) =>
  createEndpoint(ctx, { name: 'hook', url: 'http://127.0.0.1:9/', events: ['UNLINK'] }).then(
    (it) => it.endpoint,
  )

const anyDiscovery = async (ctx: Ctx) => {
  const { id } = await createTarget(ctx, { name: word(), cidr: '192.0.2.0/30' })
  return createDiscovery(ctx, { name: word(), targetId: id })
}

/** A thing of each noun that an operation names by id, as the person of `headersOf` would have it; answers its id. */
export const graphqlRecordFactories: Readonly<Record<Noun, Maker>> = {
  asset: made('assets'),
  otherAsset: made('assets'),
  phone: (_, ctx) => makePhone(ctx, 14, `mobile-${word()}`),
  otherPhone: async (_, ctx) => makePhone(ctx, 7, await nameOfLastPhone(ctx)),
  async rememberedName(_, ctx) {
    const name = `phone-${word()}`
    const [assetIdA, assetIdB] = [await makePhone(ctx, 14, name), await makePhone(ctx, 7, name)]
    await mergeByName(ctx, { assetIdA, assetIdB, reason: '' })
    return (await listRememberedNames(ctx)).find((it) => it.name === name)?.id ?? ''
  },
  async observation(app, ctx) {
    const assetId = await made('assets')(app, ctx)
    const { id } = await ctx.db.one(sql<{ id: string }>`
      select id from asset_observations where tenant_id = ${ctx.tenantId} and asset_id = ${assetId}`)
    return id
  },
  group: idOf((ctx) => createGroup(ctx, { name: word(), condition: 'has serial' })),
  customField: idOf((ctx) => defineCustomField(ctx, { name: word(), kind: 'text' })),
  async relation(app, ctx) {
    const [fromId, toId] = [await made('assets')(app, ctx), await made('assets')(app, ctx)]
    return (await addRelation(ctx, { fromId, kind: 'runs_on', toId })).id ?? ''
  },
  contract: idOf((ctx) => saveContract(ctx, { name: word() })),
  entitlement: idOf((ctx) => saveEntitlement(ctx, { product: word(), metric: 'device' })),
  attachment: made('attachments'),
  place: idOf((ctx) => createPlace(ctx, { name: word(), kind: 'site' })),
  view: idOf((ctx) => saveView({ ...ctx, actor: { ...ctx.actor, id: PERSON } }, { name: word(), view: 1 })),
  finding: made('vulnerabilities'),
  bulkChange: idOf((ctx) => startBulkChange(ctx, { verb: 'archive', where: 'name:zzz' })),
  endedBulkChange: idOf(async (ctx) => {
    const { id } = await startBulkChange(ctx, { verb: 'archive', where: 'name:zzz' })
    return cancelBulkChange(ctx, id)
  }),
  override: idOf((ctx) =>
    createOverride(ctx, { kind: 'false_positive', cveId: `CVE-${word()}`, reason: 'r' }),
  ),
  target: made('targets'),
  scan: made('scans'),
  discovery: idOf(anyDiscovery),
  discoveryRun: idOf(async (ctx) => startDiscovery(ctx, (await anyDiscovery(ctx)).id)),
  scannableAsset: async (_, ctx) => {
    const [key, host] = [word(), `198.18.${randomInt(256)}.${randomInt(1, 255)}`]
    await submit(ctx, { kind: 'csv', name: 'scannable' }, [
      { sourceKey: key, seenAt: new Date(), name: key, identifiers: [{ type: 'ip', value: host }] },
    ])
    await createTarget(ctx, { name: key, host })
    const ids = await assetsOfKeys(ctx, { kind: 'csv', name: 'scannable' }, [key])
    return ids.get(key) ?? ''
  },
  report: made('reports'),
  reportSnapshot: async (_, ctx) => {
    const { report } = await generated(ctx, { name: word(), type: 'topology' })
    return (await latestSnapshots(ctx, [report.id]))[0]?.id ?? ''
  },
  import: async (_, ctx) => {
    const { id } = await upload(ctx, 'name\nweb-1\n')
    await work(ctx, id)
    return id
  },
  cloudConnection: idOf(anyConnection),
  credential: idOf((ctx) =>
    createCredential(ctx, {
      name: word(),
      kind: 'snmp_community',
      cidrs: ['192.0.2.0/24'],
      targetIds: [],
      values: { community: word() },
    }),
  ),
  async hostKey(_, ctx) {
    const scan = lendTo(ctx, { scanId: word(), targetId: null, startedBy: null, covers: () => true })
    const service = { address: '192.0.2.1', port: randomInt(1, 65_536), algorithm: 'ssh-ed25519' }
    await scan.knowHostKey({ ...service, fingerprint: 'SHA256:a' }, { id: 'any' })
    await scan.knowHostKey({ ...service, fingerprint: 'SHA256:b' }, { id: 'any' })
    const { items } = await listHostKeys(ctx, { limit: 1, offset: 0 })
    return items[0]?.id ?? ''
  },
  async waitingHostKey(_, ctx) {
    const scan = lendTo(ctx, { scanId: randomUUID(), targetId: null, startedBy: null, covers: () => true })
    const address = `192.0.2.${randomInt(2, 250)}`
    const credential = await createCredential(ctx, {
      name: word(),
      kind: 'ssh_password',
      cidrs: [`${address}/32`],
      targetIds: [],
      values: { username: word(), password: word() },
    })
    const [lent] = await scan.credentialsFor(address, ['ssh_password'])
    await scan.close()
    const key = { address, port: randomInt(1, 65_536), algorithm: 'ssh-rsa', fingerprint: 'SHA256:a' }
    await scan.knowHostKey(key, lent ?? credential)
    const { items } = await listHostKeys(ctx, { limit: 100, offset: 0 }, 'waiting')
    return items.find((it) => it.port === key.port)?.id ?? ''
  },
  async knownHost(_, ctx) {
    await importKnownHosts(ctx, `${word()} ssh-ed25519 ${PUBLIC_KEY}`)
    return (await listKnownHosts(ctx, { limit: 1, offset: 0 })).items[0]?.id ?? ''
  },
  async agent(_, ctx) {
    const { token } = await createToken(ctx, { name: word() })
    const host = { hostname: word(), version: '1', address: '', fingerprint: {}, counter: 0 }
    const key = { keyId: randomBytes(32), publicKey: randomBytes(32) }
    return (await enrolAgent({ ctx, tokenId: token.id, tags: [], needsApproval: false }, { ...host, ...key }))
      .agentId
  },
  collector: idOf(async (ctx) => (await createCollector(ctx, { name: word() })).collector),
  enrolmentToken: idOf(async (ctx) => (await createToken(ctx, { name: word() })).token),
  apiKey: idOf(async (ctx) => (await createKey(ctx, { name: word(), scopes: ['read'] })).key),
  webhook: idOf(webhook),
  async delivery(_, ctx) {
    const { id: endpointId } = await webhook(ctx)
    await atomically(ctx, (inner) => emit(inner, [{ type: 'UNLINK', payload: {} }]))
    const { items } = await listDeliveries(ctx, { endpointId, limit: 1, offset: 0 })
    return items[0]?.id ?? ''
  },
  partner: made('partners'),
  partnerKey: made('keys'),
  partnerWebhook: made('webhooks'),
  role: idOf((ctx) => createRole(ctx, { name: word(), permissions: ['assets:read'] })),
  user: (app, ctx) => newPerson(app, ctx, { isAdmin: false }).then(({ id }) => id),
  async invitation(_, ctx) {
    const role = await createRole(ctx, { name: word(), permissions: ['assets:read'] })
    return (await inviteUser(ctx, { email: `${word()}@new.example`, roleId: role.id })).id
  },
  ownCheck: idOf((ctx) =>
    createCheck(ctx, {
      title: word(),
      scope: '',
      condition: 'has serial',
      severity: 'low',
      next: '',
      controls: [{ framework: 'nist-csf-2.0', controlId: 'GV.PO-01' }],
      tolerance: '0',
    }),
  ),
  ...statementFactories,
  exception: idOf((ctx) => exception(ctx)),
  async waitingException(_, ctx) {
    await setExceptionsNeedApproval(ctx, true)
    const { id } = await exception(ctx)
    await setExceptionsNeedApproval(ctx, false)
    return id
  },
  noticeRule: idOf((ctx) => {
    // rules belong to people
    const actor = { ...ctx.actor, kind: 'user', id: randomUUID() } as const
    return createRule({ ...ctx, actor }, { name: word(), itemKinds: ['duplicate'] })
  }),
  noticeChannel: (_, ctx) =>
    createChannel(ctx, { name: word(), kind: 'mail', address: `${word()}@new.example` }).then(
      ({ channel }) => channel.id,
    ),
  flow: idOf((ctx) => createFlow(ctx, { name: word(), definition: MANUAL_FLOW })),
  liveFlow,
  async endedFlowRun(app, ctx) {
    const runId = await flowRun(app, ctx)
    await cancelRun(ctx, runId)
    return runId
  },
  flowBackTest: idOf((ctx) =>
    startBackTest(ctx, { definition: { trigger: { kind: 'manual' }, steps: [{ action: 'stop' }] } }),
  ),
  webhookFlow: idOf((ctx) =>
    createFlow(ctx, {
      name: word(),
      definition: { trigger: { kind: 'webhook' }, steps: [{ action: 'stop' }] },
    }),
  ),
  async flowSecret(_, ctx) {
    return (await setFlowSecret(ctx, `s${word().replaceAll(/[^a-z0-9]/g, '')}`, 'a longer text')).name
  },
  async flowApproval(app, ctx) {
    const runId = await flowRun(app, ctx)
    return requestApproval(ctx, { runId, question: word(), hours: 1 })
  },
  flowRun,
}

async function flowRun(app: TestApp, ctx: Ctx): Promise<string> {
  const id = await liveFlow(app, ctx)
  await startFlow(ctx, id)
  await admitRuns(ctx, AbortSignal.timeout(60_000))
  return (await listRuns(ctx, { limit: 1, offset: 0 }, { flowId: id })).items[0]?.id ?? ''
}

const exception = (ctx: Ctx) =>
  createException(ctx, {
    checkId: 'no-telnet',
    reason: word(),
    expiresAt: new Date(ctx.now().getTime() + 86_400_000).toISOString(),
  })

async function liveFlow(_: TestApp, ctx: Ctx): Promise<string> {
  const { id } = await createFlow(ctx, { name: word(), definition: MANUAL_FLOW })
  await publishFlow(ctx, id)
  await setFlowEnabled(ctx, id, true)
  return id
}
