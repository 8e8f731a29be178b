import { describe, expect, test } from 'vitest'
import { defineCustomField, deleteCustomField } from '#features/assets/editing/custom-fields.ts'
import { submit } from '#features/sources/sources.ts'
import { unsubscribe } from '#features/notices/delivery/outbox-store.ts'
import { createChannel, deleteChannel, listNoticeDeliveries } from '#features/notices/notices.ts'
import { createPartner, updatePartner } from '#features/partners/partners.ts'
import { createUser } from '#features/tenancy/tenancy.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { createRule, listOpenItems, listRules, setPreferences, updateRule } from './notice-rules.ts'
import { asMember } from './running/owner.ts'
import { runRound } from './running/round.ts'

const PAGE = { limit: 50, offset: 0 }

/** A tenant with an administrator and a clock; `told` is what has been written for them, the oldest first. */
async function lab() {
  const clock = { ms: Date.parse('2026-03-14T09:26:00Z') }
  const app = await testApp({ now: () => new Date(clock.ms) })
  const ctx = await app.newTenant()
  const newPerson = async (email: string, isAdmin: boolean): Promise<Ctx> => {
    const system = { ...app.runtime.system, tenantId: ctx.tenantId }
    const { id } = await createUser(system, { email, password: 'a long pass phrase 4711', isAdmin })
    const me = await asMember(ctx, id)
    if (!me) throw new Error('no member')
    return me
  }
  return {
    ctx,
    newPerson,
    me: await newPerson('admin@example.org', true),
    pass: (minutes: number) => void (clock.ms += minutes * 60_000),
    round: () => runRound(ctx, AbortSignal.timeout(60_000)),
    told: async () =>
      (await listNoticeDeliveries(ctx, PAGE)).items
        .map(({ recipient, subject }) => [recipient, subject])
        .toReversed(),
  }
}

const addAssets = (ctx: Ctx, ...names: string[]) =>
  submit(
    ctx,
    { kind: 'csv', name: 'list' },
    names.map((name) => ({
      sourceKey: name,
      seenAt: ctx.now(),
      identifiers: [{ type: 'hostname' as const, value: name }],
    })),
  )

const ADMIN = 'admin@example.org'

describe('a rule on events', () => {
  test('tells once of what its condition matches, several at a time in one notice', async () => {
    const { ctx, me, pass, round, told } = await lab()
    const rule = { eventTypes: ['NEW_ASSET'], condition: 'event.asset_name: print' }
    await createRule(me, { name: 'printers', ...rule })
    await addAssets(ctx, 'print-1', 'laptop-1')
    await Promise.all([round(), round(), round()])
    await round()
    expect(await told()).toEqual([[ADMIN, 'New asset: print-1']])
    pass(1)
    await addAssets(ctx, 'print-2', 'print-3', 'print-4')
    await round()
    expect((await told()).at(-1)).toEqual([ADMIN, 'printers: 3 notices'])
  })

  test('waits for its digest and for the end of quiet hours', async () => {
    const { ctx, me, pass, round, told } = await lab()
    await setPreferences(me, { quietFrom: '09:00', quietUntil: '11:00' })
    await createRule(me, { name: 'at once', eventTypes: ['NEW_ASSET'] })
    await createRule(me, { name: 'once a day', eventTypes: ['NEW_ASSET'], digest: 'daily' })
    for (const name of ['a', 'b']) {
      await addAssets(ctx, name)
      await round()
      pass(30)
    }
    expect(await told()).toEqual([])
    pass(60)
    await round()
    expect(await told()).toEqual([[ADMIN, 'at once: 2 notices']])
    pass(24 * 60)
    await round()
    expect((await told()).at(-1)).toEqual([ADMIN, 'once a day: 2 notices'])
  })

  test('without its channel, or with a condition that can be read no more, goes off alone', async () => {
    const { ctx, me, newPerson, round, told } = await lab()
    const viewer = await newPerson('viewer@example.org', false)
    const { channel } = await createChannel(me, { name: 'own', kind: 'generic', url: 'http://127.0.0.1:9/' })
    const { id: fieldId } = await defineCustomField(me, { name: 'stage', kind: 'text' })
    await createRule(me, { name: 'field', eventTypes: ['NEW_ASSET'], condition: 'asset.custom.stage = x' })
    await createRule(me, { name: 'channel', eventTypes: ['NEW_ASSET'], channelId: channel.id })
    await createRule(viewer, { name: 'good', eventTypes: ['NEW_ASSET'] })
    await deleteChannel(me, channel.id)
    await deleteCustomField(me, fieldId)
    await addAssets(ctx, 'a')
    await round()
    expect(await told()).toEqual([['viewer@example.org', 'New asset: a']])
    const rules = (await listRules(me)).toSorted((a, b) => (a.name < b.name ? -1 : 1))
    expect(rules).toMatchObject([
      { name: 'channel', active: false, disabledReason: expect.stringContaining('is no channel') },
      { name: 'field', active: false, disabledReason: expect.stringContaining('stage') },
    ])
  })

  test('that its owner unsubscribed from counts as off, until they switch it on again', async () => {
    const { ctx, me } = await lab()
    const { id } = await createRule(me, { name: 'mine', eventTypes: ['NEW_ASSET'] })
    await unsubscribe(ctx, { kind: 'member', id: me.actor.id }, `rule:${id}`)
    expect(await listRules(me)).toMatchObject([
      { active: false, disabledReason: expect.stringContaining('mail') },
    ])
    await updateRule(me, id, { active: true })
    expect(await listRules(me)).toMatchObject([{ active: true, disabledReason: null }])
  })

  test('is told of nothing while it is off, and of what comes once it is on again', async () => {
    const { ctx, me, round, told } = await lab()
    const { id } = await createRule(me, { name: 'mine', eventTypes: ['NEW_ASSET'] })
    await updateRule(me, id, { active: false })
    await addAssets(ctx, 'a')
    await updateRule(me, id, { active: true })
    await addAssets(ctx, 'b')
    await round()
    expect(await told()).toEqual([[ADMIN, 'New asset: b']])
  })

  test('is for what its owner may see, and ends with their membership', async () => {
    const { ctx, newPerson, round, told } = await lab()
    const viewer = await newPerson('viewer@example.org', false)
    await createRule(viewer, { name: 'mine', eventTypes: ['NEW_ASSET'] })
    await expect(createRule(viewer, { name: 'keys', itemKinds: ['api_key_ends'] })).rejects.toMatchObject({
      status: 403,
    })
    await expect(
      createRule(viewer, { name: 'x', eventTypes: ['NEW_ASSET'], channelId: crypto.randomUUID() }),
    ).rejects.toMatchObject({ status: 403 })
    await expect(
      createRule(viewer, { name: 'x', eventTypes: ['NEW_ASSET'], condition: 'event.nothing = 1' }),
    ).rejects.toMatchObject({
      status: 400,
      extras: { field: 'condition' },
    })
    await addAssets(ctx, 'a')
    await round()
    expect(await told()).toEqual([['viewer@example.org', 'New asset: a']])
    expect(await listRules(ctx)).toEqual([])
  })
})

describe('a rule on open items', () => {
  test('tells of a partner at 80, 95 and 100 % once for each crossing', async () => {
    const { ctx, me, pass, round, told } = await lab()
    const { id } = await createPartner(me, {
      name: 'Acme',
      slug: 'acme',
      email: 'a@example.org',
      quotaLimit: 10,
    })
    await createRule(me, { name: 'quota', itemKinds: ['partner_quota'] })
    const percentages = async () => {
      pass(1)
      await round()
      await round()
      return (await told()).map(([, subject]) => /(\d+) %|: \d+ notices/.exec(subject ?? '')?.[0])
    }
    await addAssets(ctx, 'a', 'b', 'c', 'd', 'e', 'f', 'g')
    expect(await percentages()).toEqual([])
    await addAssets(ctx, 'h')
    expect(await percentages()).toEqual(['80 %'])
    await addAssets(ctx, 'i')
    expect(await percentages()).toEqual(['80 %'])
    await addAssets(ctx, 'j', 'k')
    expect(await percentages()).toEqual(['80 %', ': 2 notices'])
    await updatePartner(me, id, { quotaLimit: 12 })
    expect(await percentages()).toEqual(['80 %', ': 2 notices'])
    await addAssets(ctx, 'l')
    expect(await percentages()).toEqual(['80 %', ': 2 notices', ': 2 notices'])
  })

  test('and the mail about what waits is written once a day', async () => {
    const { ctx, me, pass, round, told } = await lab()
    await setPreferences(me, { hasSummary: true, digestHour: 10 })
    await createPartner(me, { name: 'Acme', slug: 'acme', email: 'a@example.org', quotaLimit: 1 })
    await addAssets(ctx, 'a')
    await round()
    expect(await told()).toEqual([])
    for (let hours = 0; hours < 30; hours++) {
      pass(60)
      await Promise.all([round(), round()])
    }
    expect(await told()).toEqual([
      [ADMIN, '3 waiting in Rollcall'],
      [ADMIN, '3 waiting in Rollcall'],
    ])
    expect(await listOpenItems(me)).toMatchObject([{ kind: 'partner_quota', total: 3 }])
  })
})
