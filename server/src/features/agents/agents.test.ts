import { expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { postXml } from '#test/support/endpoint-agents/agent-messages.ts'
import { refusedBeyond } from '#test/support/refused-beyond.ts'
import { createToken, listAgents, listTokens, revokeToken } from './agents.ts'
import { silenceOf, stateOf } from './agent.ts'
import { assetsOf, enrolled } from './agents.fixture.ts'
import type { NewToken } from './tokens/enrolment-token.ts'

const home = sharedTestApp()
const page = { limit: 50, offset: 0 }

const prolog = (id: string) => `<REQUEST><DEVICEID>${id}</DEVICEID><QUERY>PROLOG</QUERY></REQUEST>`
const inventory = (id: string, content: string) =>
  `<REQUEST><CONTENT>${content}</CONTENT><DEVICEID>${id}</DEVICEID><QUERY>INVENTORY</QUERY></REQUEST>`

test('the secret of a token is answered once, and neither listed, audited nor stored', async () => {
  const ctx = await home().newTenant()
  const { token, secret } = await createToken(ctx, { name: 'paris', tags: ['paris'], expiresInDays: 7 })
  expect(secret).toMatch(/^rce_[0-9a-f]{64}$/)
  const listed = await listTokens(ctx)
  expect(listed).toMatchObject([
    { id: token.id, name: 'paris', tags: ['paris'], prefix: secret.slice(0, 12) },
  ])
  expect(Date.parse(listed[0]?.expiresAt ?? '') - Date.parse(listed[0]?.createdAt ?? '')).toBe(7 * 86_400_000)
  const { items } = await searchAudit(ctx, { limit: 10, offset: 0 })
  expect(items[0]).toMatchObject({ action: 'enrolment_token.created', subject: { id: token.id } })
  expect(JSON.stringify([listed, items])).not.toContain(secret)
})

test.each([
  [{ name: '' }, 'name'],
  [{ expiresInDays: 0 }, 'expires_in_days'],
  [{ networks: ['10.0.0.0'] }, 'networks'],
  [{ tags: [''] }, 'tags'],
  [{ uses: 0 }, 'uses'],
  [{ uses: 1.5 }, 'uses'],
  [{ kind: 'dropin', uses: 2 }, 'uses'],
  [{ kind: 'dropin', needsApproval: true }, 'needs_approval'],
  [{ kind: 'dropin', expiresInDays: 'never' }, 'expires_in_days'],
  [{ uses: 2, expiresInDays: 'never' }, 'expires_in_days'],
] as const)('%j is refused', async (wrong, field) => {
  const ctx = await home().newTenant()
  await expect(createToken(ctx, { name: 'x', ...wrong })).rejects.toMatchObject({ extras: { field } })
})

test('tokens and agents need the permission, and those of another tenant are not there', async () => {
  const [mine, theirs] = [await enrolled(home()), await enrolled(home())]
  await postXml(theirs.address, prolog('pc-1'))
  expect((await listAgents(mine.ctx, page)).total).toBe(0)
  await expect(revokeToken(mine.ctx, theirs.tokenId)).rejects.toMatchObject({ status: 404 })
  await expect(revokeToken(mine.ctx, 'nonsense')).rejects.toMatchObject({ status: 404 })
  const nobody = { ...mine.ctx, actor: { kind: 'user', id: 'u', may: () => false } as const }
  for (const attempt of [listTokens(nobody), listAgents(nobody, page)])
    await expect(attempt).rejects.toMatchObject({ message: 'permission required: agents:read' })
  for (const attempt of [createToken(nobody, { name: 'x' }), revokeToken(nobody, mine.tokenId)])
    await expect(attempt).rejects.toMatchObject({ message: 'permission required: agents:write' })
})

test('401 asks for the token as a password, 403 is the same for unknown, revoked and other networks', async () => {
  const { ctx, tokenId, address, secret } = await enrolled(home())
  const site = await home().address()
  const bare = await postXml(`${site}/ocsinventory`, prolog('pc-1'))
  expect([bare.status, bare.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Rollcall"'])
  const authorization = `Basic ${Buffer.from(`any:${secret}`).toString('base64')}`
  expect((await postXml(`${site}/ocsinventory`, prolog('pc-1'), { authorization })).status).toBe(200)
  const elsewhere = await enrolled(home(), { networks: ['192.0.2.0/24'] })
  const here = await enrolled(home(), { networks: ['127.0.0.0/8'] })
  expect((await postXml(here.address, prolog('pc-1'))).status).toBe(200)
  await revokeToken(ctx, tokenId)
  await revokeToken(ctx, tokenId)
  const refused = await Promise.all(
    [address, elsewhere.address, `${site}/t/rce_${'0'.repeat(64)}`].map(async (it) => {
      const answer = await postXml(it, prolog('pc-1'))
      return [answer.status, await answer.json()]
    }),
  )
  const sentence = { error: 'forbidden', message: 'the enrolment token is not valid here' }
  expect(refused).toEqual(Array.from({ length: 3 }, () => [403, sentence]))
})

test('an address that tries unknown tokens is held back', async () => {
  const site = await home().address()
  const address = `${site}/t/rce_${'1'.repeat(64)}`
  const statuses = new Set<number>()
  for (let at = 0; at < 110; at += 1) statuses.add((await fetch(address)).status)
  expect([...statuses]).toEqual([403, 429])
})

test('an agent that asked and sent nothing is waiting, then silent, with the reason', async () => {
  const { ctx, address } = await enrolled(home())
  await postXml(address, prolog('pc-1'))
  const [agent] = (await listAgents(ctx, page)).items
  if (!agent) throw new Error('no agent')
  const at = (hours: number) => new Date(Date.parse(agent.firstSeenAt) + hours * 3_600_000)
  expect(stateOf(agent, at(1))).toBe('waiting')
  expect([stateOf(agent, at(49)), silenceOf(agent, at(49))]).toEqual([
    'silent',
    `connected at ${agent.lastContactAt} and sent no inventory since`,
  ])
  const ended = { ...agent, tokenEndedAt: at(2).toISOString() }
  expect(silenceOf(ended, at(49))).toBe(`its token fleet ended at ${at(2).toISOString()}`)
})

test('Prometheus reads agents by state, and when one of a kind reported last', async () => {
  const { address } = await enrolled(home())
  await postXml(address, prolog('pc-waits'))
  await postXml(address, inventory('pc-reports', '<HARDWARE><NAME>pc-9</NAME></HARDWARE>'))
  const metrics = await (await fetch(`${await home().address()}/metrics`)).text()
  const valueOf = (name: string) =>
    Number(
      metrics
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    )
  expect(valueOf('rollcall_agents{state="waiting"}')).toBeGreaterThanOrEqual(1)
  expect(valueOf('rollcall_agents{state="reporting"}')).toBeGreaterThanOrEqual(1)
  expect(valueOf('rollcall_agents{state="silent"}')).toBeGreaterThanOrEqual(0)
  expect(metrics).toMatch(/rollcall_agent_newest_report_age_seconds\{kind="\w+"\} [\d.]+/)
})

test('two hosts of one device id are two assets, whichever reports, and that is audited once', async () => {
  const { ctx, address } = await enrolled(home())
  const host = (n: number) =>
    inventory(
      'image-2026-01-01',
      `<HARDWARE><NAME>pc-${n}</NAME><UUID>4c4c4544-0042-3510-8052-b4c04f4b423${n}</UUID></HARDWARE>
       <BIOS><SSN>SERIAL${n}</SSN></BIOS>`,
    )
  for (let round = 0; round < 10; round += 1)
    for (const n of [1, 2]) expect((await postXml(address, host(n))).status).toBe(200)
  expect((await assetsOf(ctx)).map(({ name, serial }) => `${name} ${serial}`).toSorted()).toEqual([
    'pc-1 SERIAL1',
    'pc-2 SERIAL2',
  ])
  const { items } = await listAgents(ctx, page)
  expect(items.map((it) => it.sourceKey)).toEqual(['image-2026-01-01', 'image-2026-01-01#2'])
  const { items: notes } = await searchAudit(ctx, { limit: 50, offset: 0, action: 'agent.id_shared' })
  expect(notes).toHaveLength(1)
})

test('a disk that went to another computer with the UUID of the first is another host, by its serial', async () => {
  const { ctx, address } = await enrolled(home())
  const host = (serial: string) =>
    inventory(
      'disk-1',
      `<HARDWARE><NAME>lap</NAME><UUID>4c4c4544-0042-3510-8052-b4c04f4b4239</UUID></HARDWARE>
       <BIOS><SSN>${serial}</SSN></BIOS>`,
    )
  for (const serial of ['PF1AAA01', 'PF1BBB02']) await postXml(address, host(serial))
  expect((await assetsOf(ctx)).map(({ serial }) => serial).toSorted()).toEqual(['PF1AAA01', 'PF1BBB02'])
})

test('a host that was given another id by its agent goes on as it was', async () => {
  const { ctx, address } = await enrolled(home())
  const content = '<HARDWARE><NAME>laptop</NAME></HARDWARE><BIOS><SSN>LAPTOP7</SSN></BIOS>'
  await postXml(address, inventory('laptop-1', content))
  await postXml(address, inventory('laptop-2', `${content}<OLD_DEVICEID>laptop-1</OLD_DEVICEID>`))
  const { items } = await listAgents(ctx, page)
  expect(items).toMatchObject([{ deviceId: 'laptop-2', sourceKey: 'laptop-1' }])
  expect(await assetsOf(ctx)).toHaveLength(1)
})

const many = (length: number, text: (n: number) => string) => Array.from({ length }, (_, n) => text(n))
test.each<[string, number, (size: number) => Partial<NewToken>]>([
  ['name', 200, (n) => ({ name: 'x'.repeat(n) })],
  ['expires_in_days', 3_650, (n) => ({ expiresInDays: n })],
  ['uses', 1_000_000, (n) => ({ uses: n })],
  ['tags', 20, (n) => ({ tags: many(n, (it) => `tag-${it}`) })],
  ['tags', 255, (n) => ({ tags: ['x'.repeat(n)] })],
  ['networks', 100, (n) => ({ networks: many(n, (it) => `10.0.${it}.0/24`) })],
])('%s of a token go to %i, and no further', async (field, most, of) => {
  const ctx = await home().newTenant()
  expect(await refusedBeyond(most, (size) => createToken(ctx, { name: 'x', ...of(size) }))).toBe(field)
})
