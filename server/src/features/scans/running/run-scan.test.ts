import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Observation } from '#features/assets/observation.ts'
import { CollectorRestarted } from '#features/collectors/collectors.ts'
import { createCredential } from '#features/credentials/credentials.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import type { Probe, ProbeOptions, ProbeTarget } from '../probes/probe.ts'
import { ProbeFailure } from '../probes/probe.ts'
import { listResults } from '../results/results.ts'
import { runScan } from './run-scan.ts'
import { createScan, createTarget, getScan } from '../scans.ts'

type Run = (target: ProbeTarget, options: ProbeOptions) => AsyncGenerator<Observation>

const ALL = { limit: 100, offset: 0 }
const HOST = '127.0.0.1'
const KEY = { address: HOST, port: 22, algorithm: 'ssh-ed25519' }

async function scene(host = HOST) {
  const lines: string[] = []
  const into = new Writable({
    write(chunk: Buffer, _, done) {
      lines.push(chunk.toString())
      done()
    },
  })
  const { runtime, newTenant } = await testApp({ log: pino({ level: 'debug' }, into) })
  const ctx = await newTenant()
  const target = await createTarget(ctx, { name: 'it', host })
  const secret = `geheim-${randomBytes(8).toString('hex')}`
  const scan = async (run: Run) => {
    const probe: Probe = { type: 'snmp', title: 'SNMP', accepts: () => true, run }
    const { id } = await createScan(ctx, { type: 'snmp', targetId: target.id })
    const { signal } = new AbortController()
    const thrown = await runScan(ctx, { scanId: id }, signal, { shelf: [probe] }).catch((it: unknown) => it)
    return { thrown, ...(await getScan(ctx, id)) }
  }
  const credential = () =>
    createCredential(ctx, {
      name: 'Linux',
      kind: 'snmp_community',
      cidrs: ['127.0.0.0/8'],
      targetIds: [],
      values: { community: secret },
    })
  return { ctx, runtime, lines, secret, scan, credential }
}

const seen = (facts: Observation['facts'] = {}): Observation => ({
  sourceKey: HOST,
  seenAt: new Date(),
  name: 'srv',
  identifiers: [{ type: 'ip', value: HOST }],
  facts,
})

async function* nothing(): AsyncGenerator<Observation> {}

test('without a credential for its host a scan fails at once, and says what to do', async () => {
  const { scan } = await scene()
  const ended = await scan(nothing)
  expect(ended).toMatchObject({
    status: 'failed',
    message: expect.stringMatching(
      /^no credential is bound to 127\.0\.0\.1 .*snmp_community.*rollcall credential create/,
    ),
  })
})

test('a name is looked up once, and the probe gets the address', async () => {
  const { scan, credential } = await scene('localhost')
  await credential()
  const targets: ProbeTarget[] = []
  const ended = await scan(async function* (target) {
    targets.push(target)
    yield seen()
  })
  expect(targets).toEqual([
    { kind: 'host', host: expect.stringMatching(/^(127\.0\.0\.1|::1)$/), name: 'localhost' },
  ])
  expect(ended).toMatchObject({ status: 'completed', message: '1 asset found', assetCount: 1 })
})

test('what was seen before a failure stays, and the host’s own words with it', async () => {
  const { ctx, scan, credential } = await scene()
  await credential()
  const { id, status, message, assetCount } = await scan(async function* (_, { onRaw }) {
    onRaw?.({ address: HOST, part: 'uname -a', text: 'Linux srv' })
    yield seen({ kernel: 'Linux' })
    throw new ProbeFailure('the connection was closed in the middle')
  })
  expect({ status, message, assetCount }).toEqual({
    status: 'failed',
    message: 'the connection was closed in the middle (after 1 asset found)',
    assetCount: 1,
  })
  expect(await listResults(ctx, id, ALL)).toMatchObject({
    total: 1,
    items: [
      {
        host: HOST,
        name: 'srv',
        isCut: false,
        read: { facts: { kernel: 'Linux' } },
        raw: [{ part: 'uname -a', text: 'Linux srv' }],
      },
    ],
  })
})

test('after a collector’s restart it is known where the scan did harm', async () => {
  const { scan, credential } = await scene()
  await credential()
  const stops: unknown[] = []
  const ended = await scan(async function* (_, { governor }) {
    stops.push(governor?.stopFor(HOST))
    governor?.harmed(HOST, 'it is silent')
    if (stops.length === 1) throw new CollectorRestarted('collector Oslo was started anew')
    yield seen()
  })
  expect(stops).toEqual([undefined, 'it is silent'])
  expect(ended).toMatchObject({ status: 'completed' })
})

test('after the death of its worker it is known where a sweep did harm', async () => {
  const { ctx } = await scene()
  const target = await createTarget(ctx, { name: 'site', cidr: '127.0.0.0/30' })
  const { id: scanId } = await createScan(ctx, { type: 'sweep', targetId: target.id })
  const { signal } = new AbortController()
  const attempt = (run: Run) => {
    const probe: Probe = { type: 'sweep', title: 'Network sweep', accepts: () => true, run }
    return runScan(ctx, { scanId }, signal, { shelf: [probe] })
  }
  const noted = async () => (await getScan(ctx, scanId)).progress?.stops
  const said = { done: 1, total: 2, found: 1, ratePerSecond: 1, remainingSeconds: 1 }
  const dead = attempt(async function* (_, { governor, onProgress, signal: ending }) {
    governor?.harmed(HOST, 'it is silent')
    onProgress?.({ ...said, stops: governor?.stops ?? [] })
    yield seen()
    await once(ending, 'abort') // its worker answers to nobody any more
  })
  await expect.poll(noted, { timeout: 20_000 }).toHaveLength(1)
  const found: unknown[] = []
  await attempt(async function* (_, { governor }) {
    found.push(governor?.stopFor(HOST))
    yield seen()
  })
  await dead
  expect(found).toEqual(['it is silent'])
  expect(await getScan(ctx, scanId)).toMatchObject({ status: 'completed' })
}, 60_000)

test('a sweep that ends in the middle says of how many networks only a sample was asked, and counts none as swept', async () => {
  const { ctx } = await scene()
  const target = await createTarget(ctx, { name: 'site', cidr: '10.1.0.0/16' })
  const { id: scanId } = await createScan(ctx, { type: 'sweep', targetId: target.id })
  const said = {
    done: 5_000,
    total: 65_536,
    found: 3,
    ratePerSecond: 1,
    remainingSeconds: 1,
    sampledOnly: 240,
  }
  const run: Run = async function* (_, { onProgress }) {
    yield seen()
    onProgress?.(said)
    throw new ProbeFailure('the interface is gone')
  }
  const probe: Probe = { type: 'sweep', title: 'Network sweep', accepts: () => true, run }
  await runScan(ctx, { scanId }, new AbortController().signal, { shelf: [probe] })
  expect(await getScan(ctx, scanId)).toMatchObject({
    status: 'failed',
    message:
      'the interface is gone (after 5000 of 65536 addresses looked at, 3 live; 240 networks of 256 addresses sampled, not swept)',
  })
  const swept = await ctx.db.all(sql`select network from swept_networks where tenant_id = ${ctx.tenantId}`)
  expect(swept).toEqual([])
})

test('networks without a route and those that were asked no more do not count as swept', async () => {
  const { ctx } = await scene()
  const entries = ['10.1.0.0/24', '10.2.0.0/24', '10.3.0.0/23']
  const target = await createTarget(ctx, { name: 'sites', entries })
  const { id: scanId } = await createScan(ctx, { type: 'sweep', targetId: target.id })
  const said = { done: 1_024, total: 1_024, found: 1, ratePerSecond: 1, remainingSeconds: 0 }
  const run: Run = async function* (_, { governor, onProgress }) {
    yield seen()
    for (const at of ['10.3.1.1', '10.3.1.2', '10.3.1.3']) governor?.harmed(at, 'it is silent')
    onProgress?.({ ...said, unreachable: ['10.2.0.0/24'], stops: governor?.stops ?? [] })
  }
  const probe: Probe = { type: 'sweep', title: 'Network sweep', accepts: () => true, run }
  await runScan(ctx, { scanId }, new AbortController().signal, { shelf: [probe] })
  const swept = await ctx.db.all(sql<{ network: string }>`
    select network::text from swept_networks where tenant_id = ${ctx.tenantId} order by network`)
  expect(swept.map(({ network }) => network)).toEqual(['10.1.0.0/24', '10.3.0.0/24'])
})

test('a host with a changed key is named with both keys and what to do', async () => {
  const { scan, credential } = await scene()
  await credential()
  const knowing = (fingerprint: string): Run =>
    async function* (_, { access }) {
      if ((await access?.knowHostKey({ ...KEY, fingerprint }, { id: 'any' })) === 'changed')
        throw new ProbeFailure('the host key has changed')
      yield seen()
    }
  expect((await scan(knowing('SHA256:first'))).status).toBe('completed')
  const { status, message } = await scan(knowing('SHA256:second'))
  expect(status).toBe('failed')
  expect(message).toMatch(
    /^the host key has changed; known for 127\.0\.0\.1 port 22 is.*SHA256:first.*SHA256:second.*hostkey accept/,
  )
})

const leaks = (secret: string): [string, Run][] => {
  const forms = [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')]
  const said = forms.join(' ')
  const opened = async (options: ProbeOptions) => {
    for (const it of (await options.access?.credentialsFor(HOST, ['snmp_community'])) ?? [])
      await options.access?.recordOutcome(it, HOST, 'accepted')
    options.onRaw?.({ address: HOST, part: 'ps', text: said })
  }
  return [
    [
      'failed',
      async function* (_, options) {
        await opened(options)
        yield { ...seen({ [secret]: [said] }), name: `srv ${said}`, os: said, tags: [secret] }
        throw new ProbeFailure(`could not log in with ${said}`)
      },
    ],
    [
      'running', // an accident, to be tried again by the queue
      async function* (_, options) {
        await opened(options)
        yield seen({ said })
        throw new TypeError(`cannot read ${said}`, { cause: new Error(said) })
      },
    ],
  ]
}

test('a known secret that a host echoes is in no table, no message, no event and no line of the log', async () => {
  const { ctx, runtime, lines, secret, scan, credential } = await scene()
  await credential()
  for (const [status, run] of leaks(secret)) {
    const ended = await scan(run)
    expect(ended.status).toBe(status)
    const { thrown } = ended
    if (thrown instanceof Error) ctx.log.warn({ err: thrown }, String(thrown))
    expect(JSON.stringify(ended)).not.toContain(secret)
  }
  expect(lines.join('')).toContain('[redacted]')
  for (const form of [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')]) {
    expect(lines.join('')).not.toContain(form)
    expect(await tablesHolding(runtime.system, form)).toEqual([])
  }
  expect(await tablesHolding(runtime.system, '[redacted]')).toEqual(
    expect.arrayContaining(['assets', 'events', 'scan_results', 'scans']),
  )
})

/** Of all tables that the engines may read. */
async function tablesHolding(system: Ctx, text: string): Promise<string[]> {
  const tables = await system.db.all(sql<{ name: string }>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and has_table_privilege(oid, 'select')`)
  const found: string[] = []
  for (const { name } of tables) {
    const { hits } = await system.db.one(sql<{ hits: number }>`
      select count(*) as hits from ${sql.table(name)} t where strpos(t::text, ${text}) > 0
        or strpos(t::text, ${Buffer.from(text).toString('hex')}) > 0`)
    if (hits > 0) found.push(name.replace(/_\d{8}$/, ''))
  }
  return [...new Set(found)]
}
