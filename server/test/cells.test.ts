import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createToken } from '#features/agents/agents.ts'
import { newHost } from '#features/agents/signed/signed-agent.fixture.ts'
import { listKeys } from '#features/api-keys/api-keys.ts'
import { partnerScene } from '#features/partners/partners.fixture.ts'
import { getTenantBySlug } from '#features/tenancy/tenancy.ts'
import { createEndpoint } from '#features/webhooks/webhooks.ts'
import { cellOfKey, NUMBERS_EACH } from '#platform/cells/cell.ts'
import { begin, cancel, freeze, noteMoved } from '#platform/cells/moving/move-store.ts'
import { withOwner } from '#platform/database/connect-primary.ts'
import { addressIn, browserOf, newPerson } from './support/http/browser-session.ts'
import { receiver } from './support/http/webhook-receiver.ts'
import { testApp } from './support/app/test-app.ts'
import { at, countsOf, keepWriting, openCell, urlOf, type Cell } from './support/processes/cells.ts'
import { dataFolder, onDatabase, rollcall, until } from './support/processes/rollcall-process.ts'

const LONG = { timeout: 240_000 }
const SLUG = 'acme'

test(
  'a tenant is moved while both cells serve others: nothing lost, nothing delivered twice, and its keys lead there',
  LONG,
  async () => {
    const [here, there] = [await openCell(1), await openCell(2)]
    for (const words of [
      ['tenant', 'create', SLUG],
      ['demo', '--tenant', SLUG, '--assets', '150'],
    ])
      expect(await rollcall(words, here.environment)).toMatchObject({ code: 0, err: '' })
    const { id } = await getTenantBySlug(here.home.runtime.system, SLUG)
    const [ctx, after] = [here.home.runtime.contextFor(id), there.home.runtime.contextFor(id)]
    const [key, neighbours] = [
      await here.home.key(ctx),
      [await here.home.newTenant(), await there.home.newTenant()],
    ]
    expect(cellOfKey(key)).toBe(1)
    const hook = await receiver()
    await createEndpoint(ctx, { name: 'all', url: hook.url, events: ['NEW_ASSET'] })
    const person = await newPerson(here.home, ctx)
    const browser = await browserOf(here.home, person)
    const path = await addressIn(ctx, '/graphql')

    const before = await countsOf(ctx)
    let isMoved = false
    const writing = keepWriting([here, there], key, () => isMoved)
    const [first, second] = neighbours.map(async (neighbour, n) => {
      const cell = [here, there][n] as Cell
      return keepWriting([cell], await cell.home.key(neighbour), () => isMoved)
    }) as [ReturnType<typeof keepWriting>, ReturnType<typeof keepWriting>]
    const keyFile = join(await dataFolder().then((it) => join(it, '..')), 'there.key')
    await writeFile(keyFile, there.secretKey)
    const move = [
      'tenant',
      'move',
      SLUG,
      '--to',
      urlOf(there),
      '--address',
      there.server.address,
      '--wait',
      '3',
    ]
    expect((await rollcall(move, here.environment)).err).toContain('another SECRET_KEY')
    const done = await rollcall([...move, '--key-file', keyFile, '--json'], here.environment)
    expect(done).toMatchObject({ code: 0 })
    const report = JSON.parse(done.out) as {
      rows: number
      frozen_ms: number
      resealed: number
      audit: { faults: [] }
    }
    isMoved = true
    const { taken, statuses } = await writing

    expect(report.audit.faults).toEqual([])
    expect(report.resealed).toBeGreaterThan(0)
    expect(statuses.get(421)).toBe(1)
    for (const neighbour of [await first, await second]) expect([...neighbour.statuses.keys()]).toEqual([201])
    const names = await after.db.all(sql<{ name: string }>`
    select name from assets where tenant_id = ${id} and name like 'written %' order by name`)
    expect(names.map(({ name }) => name)).toEqual(taken.toSorted())
    expect(await countsOf(after)).toEqual({ ...before, assets: before.assets + taken.length })
    await until(() => hook.requests.length >= taken.length)
    await until(
      async () =>
        (
          await after.db.all(
            sql`select from webhook_deliveries where tenant_id = ${id} and status in ('p', 'r')`,
          )
        ).length === 0,
    )
    const told = hook.requests.map(({ headers }) => String(headers['x-service-event-id']))
    expect(new Set(told).size).toBe(told.length)
    expect(told.length).toBe(taken.length)

    // whoever still asks here is told where to go
    expect(await at(here, key).get('/assets')).toMatchObject({
      status: 421,
      body: { address: there.server.address },
    })
    expect((await browser.send('POST', path, { query: '{ overview { total } }' })).status).toBe(421)
    expect((await at(there, key).get('/assets')).status).toBe(200)
    expect((await listKeys(after)).length).toBe(1)
    const moved = await browserOf(there.home, { ...person })
    expect((await moved.send('POST', path, { query: '{ overview { total } }' })).status).toBe(200)
    const map = ['cell', 'map', '--domain', 'example.org', '--format', 'nginx']
    expect((await rollcall(map, here.environment)).out).toContain(`${SLUG}.example.org cell2;`)
    expect((await rollcall([...move, '--key-file', keyFile], here.environment)).err).toContain('was moved')
  },
)

test('while a tenant is frozen it can be read and not written, engines begin nothing for it, and others notice nothing', async () => {
  const home = await testApp({ cell: 1 })
  const [ctx, other] = [await home.newTenant(), await home.newTenant()]
  const [mine, theirs] = [home.as(await home.key(ctx)), home.as(await home.key(other))]
  const { system } = home.runtime
  await begin(system, { id: ctx.tenantId, slug: 'x', cell: 2, address: 'https://two.example.org' })
  expect((await mine.post('/assets', { name: 'before' })).status).toBe(201)
  await freeze(system, ctx.tenantId)
  const refused = await mine.post<{ error: string }>('/assets', { name: 'while' })
  expect([refused.status, refused.body.error, Number(refused.headers['retry-after']) > 0]).toEqual([
    503,
    'unavailable',
    true,
  ])
  const { body } = await mine.get<{ name: string }[]>('/assets')
  expect(JSON.stringify(body)).not.toContain('while')
  expect((await theirs.post('/assets', { name: 'other' })).status).toBe(201)
  expect(await cancel(system, ctx.tenantId)).toBe(true)
  expect((await mine.post('/assets', { name: 'afterwards' })).status).toBe(201)
})

test('a key of another cell is told where to go; one of nobody is refused as ever', async () => {
  const cellAddresses = new Map([[7, 'https://seven.example.org']])
  const home = await testApp({ cell: 1, http: { cellAddresses } })
  const seven = await testApp({ cell: 7 })
  const key = await seven.key(await seven.newTenant())
  expect(await home.as(key).get('/assets')).toMatchObject({
    status: 421,
    body: { error: 'misdirected_request', address: 'https://seven.example.org' },
  })
  const own = await home.key(await home.newTenant())
  expect((await home.as(own).get('/assets')).status).toBe(200)
  expect((await home.as(randomBytes(32).toString('hex')).get('/assets')).status).toBe(401)
})

test('whatever let somebody in to a tenant that was moved is told where to go', LONG, async () => {
  const home = await testApp({ cell: 1 })
  const { ctx, path, all } = await partnerScene(home)
  const site = await home.address()
  const agents = await createToken(ctx, { name: 'agents' })
  const others = await createToken(ctx, { name: 'others', kind: 'dropin' })
  const host = newHost('MOVED001')
  expect((await host.run('enrol', site, agents.secret)).code).toBe(0)
  const asPartner = () => fetch(`${site}/api/v1${path}`, { headers: { 'x-partner-key': all } })
  const asDropin = () => fetch(`${site}/t/${others.secret}`, { method: 'POST', body: '{}' })
  expect([(await asPartner()).status, (await asDropin()).status]).not.toContain(421)

  const address = 'https://two.example.org'
  await begin(home.runtime.system, { id: ctx.tenantId, slug: 'x', cell: 2, address })
  await withOwner(home.where, (client) => noteMoved(client, ctx.tenantId))
  for (const answer of [await asPartner(), await asDropin()]) {
    expect(answer.status).toBe(421)
    expect(await answer.text()).toContain(address)
  }
  expect((await host.run('run', '--now')).err).toContain('421')
  expect((await newHost('MOVED002').run('enrol', site, agents.secret)).err).toContain('421')
})

test('the numbers of a cell are its own, and it keeps its number', LONG, async () => {
  const secretKey = randomBytes(32).toString('hex')
  const home = await testApp({ secretKey })
  const environment = { ...onDatabase(home.where, secretKey), CELL: '5' }
  expect(await rollcall(['tenant', 'create', 'five'], environment)).toMatchObject({ code: 0 })
  const { id } = await getTenantBySlug(home.runtime.system, 'five')
  const entries = await home.runtime.contextFor(id).db.all(sql<{ id: number }>`select id from audit_entries`)
  expect(entries.length).toBeGreaterThan(0)
  for (const entry of entries) expect(Math.floor(entry.id / NUMBERS_EACH)).toBe(5)
  const other = await rollcall(['tenant', 'list'], { ...environment, CELL: '6' })
  expect([other.code, other.err]).toEqual([1, expect.stringContaining('that of cell 5')])
})
