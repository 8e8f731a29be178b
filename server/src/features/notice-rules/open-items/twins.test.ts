import { expect, test } from 'vitest'
import { enrolled } from '#features/agents/agents.fixture.ts'
import { submit } from '#features/sources/sources.ts'
import { listNoticeDeliveries } from '#features/notices/notices.ts'
import { createUser } from '#features/tenancy/tenancy.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { createRule, listOpenItems } from '../notice-rules.ts'
import { asMember } from '../running/owner.ts'
import { runRound } from '../running/round.ts'

const HOUR_MS = 3_600_000
const UUID = '4c4c4544-0042-3510-8052-b4c04f4b4231'
const PAGE = { limit: 50, offset: 0 }

async function lab() {
  const clock = { ms: Date.parse('2026-03-14T09:26:00Z') }
  const app = await testApp({ now: () => new Date(clock.ms) })
  const { ctx, address } = await enrolled(app)
  const system = { ...app.runtime.system, tenantId: ctx.tenantId }
  const person = { email: 'admin@example.org', password: 'a long pass phrase 4711', isAdmin: true }
  const { id } = await createUser(system, person)
  const me = await asMember(ctx, id)
  if (!me) throw new Error('no member')
  const told = async () => (await listNoticeDeliveries(ctx, PAGE)).items.map(({ subject }) => subject)
  return { ctx, me, address, told, pass: (hours: number) => void (clock.ms += hours * HOUR_MS) }
}

const round = (ctx: Ctx) => runRound(ctx, AbortSignal.timeout(60_000))

const open = async (me: Ctx, kind: string) => (await listOpenItems(me)).find((it) => it.kind === kind)?.items

test('two machines that report one hardware UUID are told once by a notice that leads to one of them', async () => {
  const { ctx, me, told, pass } = await lab()
  await createRule(me, { name: 'twins', itemKinds: ['hardware_shared'] })
  const report = (n: number, uuid = UUID) =>
    submit(ctx, { kind: 'agent', key: 'agent', name: 'Rollcall agent' }, [
      {
        sourceKey: `host-${n}`,
        seenAt: ctx.now(),
        name: `web-${n}`,
        identifiers: [
          { type: 'agent_key', value: `key-${n}` },
          { type: 'smbios_uuid', value: uuid },
          { type: 'hostname', value: `web-${n}` },
        ],
      },
    ])
  await report(1)
  pass(1)
  await report(2)
  await round(ctx)
  expect(await open(me, 'hardware_shared')).toBeUndefined()
  pass(1)
  await report(1)
  await round(ctx)
  await round(ctx)
  const [item] = (await open(me, 'hardware_shared')) ?? []
  expect(item).toMatchObject({
    subject: 'web-1 and web-2 report one hardware UUID: copies of one machine?',
    link: expect.stringMatching(/^\/assets\/[0-9a-f-]{36}$/),
  })
  expect(await told()).toEqual([item?.subject])
  pass(1)
  await report(2, '4c4c4544-0042-3510-8052-b4c04f4b4232')
  expect(await open(me, 'hardware_shared')).toBeUndefined()
})

test('hosts whose agents share an id are open for as long as both report', async () => {
  const { ctx, me, address, told, pass } = await lab()
  await createRule(me, { name: 'twins', itemKinds: ['agent_id_shared'] })
  const report = (n: number) =>
    fetch(address, {
      method: 'POST',
      body: `<REQUEST><DEVICEID>image-1</DEVICEID><QUERY>INVENTORY</QUERY><CONTENT>
        <HARDWARE><NAME>pc-${n}</NAME></HARDWARE><BIOS><SSN>SERIAL${n}</SSN></BIOS></CONTENT></REQUEST>`,
    })
  expect((await report(1)).status).toBe(200)
  await round(ctx)
  expect(await open(me, 'agent_id_shared')).toBeUndefined()
  await report(2)
  await round(ctx)
  const subject = 'pc-1 and pc-2 report by the agent id image-1: copies of one disk?'
  expect(await open(me, 'agent_id_shared')).toEqual([{ key: expect.any(String), subject, link: '/agents' }])
  expect(await told()).toEqual([subject])
  pass(49)
  await report(1)
  expect(await open(me, 'agent_id_shared')).toBeUndefined()
})
