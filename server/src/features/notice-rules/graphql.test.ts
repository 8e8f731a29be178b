import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, fieldAsker, headersOf } from '#test/support/http/graphql-client.ts'

const home = sharedTestApp({ contextOf: believed })
const askOf = (ctx: Ctx, permissions?: readonly string[]) =>
  fieldAsker(asker(home().as(), headersOf(ctx, permissions ?? 'all')))

const RULE = 'id name eventTypes itemKinds condition channelId digest active disabledReason'

test('a rule is made, changed in what is given, listed and deleted', async () => {
  const ctx = await home().newTenant()
  const ask = askOf(ctx)
  const made = await ask<{ id: string }>(
    `mutation { createNoticeRule(name: "New ones", eventTypes: ["NEW_ASSET"]) { ${RULE} } }`,
  )
  const { id } = made
  expect(made).toEqual({
    id,
    name: 'New ones',
    eventTypes: ['NEW_ASSET'],
    itemKinds: [],
    condition: '',
    channelId: null,
    digest: 'now',
    active: true,
    disabledReason: null,
  })
  const { channel } = await ask<{ channel: { id: string } }>(
    'mutation { createNoticeChannel(name: "c", kind: slack, url: "https://127.0.0.1/hook") { channel { id } } }',
  )
  const update = (args: string) =>
    ask(`mutation ($id: ID!) { updateNoticeRule(id: $id, ${args}) { ${RULE} } }`, { id })
  const changed = { ...made, channelId: channel.id, digest: 'daily', itemKinds: ['duplicate'] }
  expect(await update(`channelId: "${channel.id}", digest: daily, itemKinds: ["duplicate"]`)).toEqual(changed)
  const named = { ...changed, name: 'Printers', condition: 'event.asset_name : print' }
  expect(await update('name: "Printers", condition: "event.asset_name : print"')).toEqual(named)
  expect(await update('active: false')).toEqual({ ...named, active: false })
  expect(await update('channelId: null')).toEqual({ ...named, active: false, channelId: null })
  expect(await ask(`{ noticeRules { ${RULE} } }`)).toEqual([{ ...named, active: false, channelId: null }])
  expect(await ask('mutation ($id: ID!) { deleteNoticeRule(id: $id) }', { id })).toBe(id)
  expect(await ask('{ noticeRules { id } }')).toEqual([])
  for (const mutation of [`updateNoticeRule(id: "${id}") { id }`, `deleteNoticeRule(id: "${id}")`])
    await expect(ask(`mutation { ${mutation} }`)).rejects.toThrow('not_found')
})

test.each([
  ['name: "", eventTypes: ["NEW_ASSET"]', 'name'],
  ['name: "x"', 'eventTypes'],
  ['name: "x", eventTypes: ["NOTHING"]', 'eventTypes'],
  ['name: "x", itemKinds: ["nothing"]', 'itemKinds'],
  ['name: "x", eventTypes: ["NEW_ASSET"], condition: "("', 'condition'],
])('a rule with %s is refused by its %s', async (args, field) => {
  const ask = askOf(await home().newTenant())
  await expect(ask(`mutation { createNoticeRule(${args}) { id } }`)).rejects.toThrow(
    `invalid_request ${field}`,
  )
})

test('rules can be about what one may see', async () => {
  const ctx = await home().newTenant()
  interface Subject {
    readonly name: string
    readonly title: string
    readonly isEvent: boolean
  }
  const subjects = (permissions?: readonly string[]) =>
    askOf(ctx, permissions)<Subject[]>('{ noticeSubjects { name title isEvent } }')
  const all = await subjects()
  expect(all).toContainEqual({ name: 'NEW_ASSET', title: expect.any(String) as string, isEvent: true })
  expect(all).toContainEqual({ name: 'duplicate', title: 'Possible duplicates', isEvent: false })
  const some = await subjects(['assets:read', 'notices:read'])
  expect(some.length).toBeLessThan(all.length)
  expect(some.map(({ name }) => name)).toEqual(expect.arrayContaining(['NEW_ASSET', 'duplicate']))
  expect(some.map(({ name }) => name)).not.toContain('host_key')
})

test('preferences are those of everybody until they are set, and what is left out stays', async () => {
  const ctx = await home().newTenant()
  const ask = askOf(ctx)
  const FIELDS = 'zone quietFrom quietUntil digestHour hasSummary'
  const usual = { zone: 'UTC', quietFrom: null, quietUntil: null, digestHour: 8, hasSummary: false }
  expect(await ask(`{ noticePreferences { ${FIELDS} } }`)).toEqual(usual)
  const set = (args: string) => ask(`mutation { setNoticePreferences(${args}) { ${FIELDS} } }`)
  const quiet = { ...usual, zone: 'Europe/Berlin', quietFrom: '22:00', quietUntil: '06:30', hasSummary: true }
  expect(
    await set('zone: "Europe/Berlin", quietFrom: "22:00", quietUntil: "06:30", hasSummary: true'),
  ).toEqual(quiet)
  expect(await set('digestHour: 23')).toEqual({ ...quiet, digestHour: 23 })
  const loud = { ...quiet, digestHour: 23, quietFrom: null, quietUntil: null, hasSummary: false }
  expect(await set('quietFrom: null, quietUntil: null, hasSummary: false')).toEqual(loud)
  expect(await ask(`{ noticePreferences { ${FIELDS} } }`)).toEqual(loud)
  for (const [args, field] of [
    ['zone: "Mars/Base"', 'zone'],
    ['digestHour: 24', 'digestHour'],
    ['digestHour: -1', 'digestHour'],
    ['quietFrom: "24:00", quietUntil: "06:00"', 'quietFrom'],
    ['quietFrom: "22:00"', 'quietUntil'],
  ] as const)
    await expect(set(args)).rejects.toThrow(`invalid_request ${field}`)
})
