import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { asker, believed, fieldAsker, headersOf } from '#test/support/http/graphql-client.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { sendDue } from './delivery/send-due.ts'
import { enqueueNotice } from './notices.ts'

const home = sharedTestApp({ contextOf: believed })
const askOf = (ctx: Ctx, permissions?: readonly string[]) =>
  fieldAsker(asker(home().as(), headersOf(ctx, permissions ?? 'all')))

const CHANNEL = 'id name kind destination active disabledReason confirmedAt failingSince lastError lastSentAt'

interface Made {
  readonly channel: { readonly id: string }
  readonly secret: string | null
}

test('a channel is made, changed, tested, listed by name and deleted', async () => {
  const ctx = await home().newTenant()
  const ask = askOf(ctx)
  const [one, two] = [await receiver(), await receiver(() => 500)]
  const make = (args: string, url: string) =>
    ask<Made>(
      `mutation ($url: String) { createNoticeChannel(${args}, url: $url) { secret channel { ${CHANNEL} } } }`,
      { url },
    )
  const { channel, secret } = await make('name: "Ours", kind: generic', one.url)
  expect(secret).toMatch(/^\S{16,}$/)
  const fresh = {
    id: channel.id,
    name: 'Ours',
    kind: 'generic',
    destination: new URL(one.url).host,
    active: true,
    disabledReason: null,
    confirmedAt: null,
    failingSince: null,
    lastError: null,
    lastSentAt: null,
  }
  expect(channel).toEqual(fresh)
  const { id } = channel
  const test = () => ask('mutation ($id: ID!) { testNoticeChannel(id: $id) { success error } }', { id })
  expect(await test()).toEqual({ success: true, error: null })
  await expect(test()).rejects.toThrow('rate_limit_exceeded')
  const update = (args: string, more: object = {}) =>
    ask(
      `mutation ($id: ID!, $url: String) { updateNoticeChannel(id: $id, ${args}, url: $url) { ${CHANNEL} } }`,
      { id, ...more },
    )
  const sent = { ...fresh, lastSentAt: expect.stringMatching(/Z$/) as string }
  expect(await update('name: "Renamed"')).toEqual({ ...sent, name: 'Renamed' })
  expect(await update('active: false')).toEqual({ ...sent, name: 'Renamed', active: false })
  const moved = await update('active: true', { url: two.url })
  expect(moved).toEqual({ ...sent, name: 'Renamed', destination: new URL(two.url).host })
  await expect(update('token: "x"')).rejects.toThrow('invalid_request url')
  await make('name: "another", kind: slack', one.url)
  expect(await ask('{ noticeChannels { name } }')).toEqual([{ name: 'another' }, { name: 'Renamed' }])
  expect(await ask('mutation ($id: ID!) { deleteNoticeChannel(id: $id) }', { id })).toBe(id)
  expect(await ask('{ noticeChannels { name } }')).toEqual([{ name: 'another' }])
})

test('what became of notices is listed newest first', async () => {
  const ctx = await home().newTenant()
  const ask = askOf(ctx)
  const there = await receiver(() => 500)
  const { channel } = await ask<Made>(
    'mutation ($url: String) { createNoticeChannel(name: "chat", kind: slack, url: $url) { secret channel { id } } }',
    { url: there.url },
  )
  const write = (n: number) =>
    enqueueNotice(ctx, {
      topic: `topic ${n}`,
      subject: `Subject ${n}`,
      text: 'text',
      dedupeKey: `${n}`,
      recipients: [{ channelId: channel.id }],
    })
  await write(1)
  await sendDue(ctx, AbortSignal.timeout(60_000))
  await write(2)
  const list = (page = '') =>
    ask(
      `{ noticeDeliveries${page} { total items { subject recipient status attempts error nextAttemptAt sentAt } } }`,
    )
  const waiting = {
    recipient: 'chat',
    status: 'waiting',
    sentAt: null,
    nextAttemptAt: expect.stringMatching(/Z$/) as string,
  }
  const first = {
    ...waiting,
    subject: 'Subject 1',
    attempts: 1,
    error: expect.stringContaining('500') as string,
  }
  const second = { ...waiting, subject: 'Subject 2', attempts: 0, error: null }
  expect(await list()).toEqual({ total: 2, items: [second, first] })
  expect(await list('(first: 1, offset: 1)')).toEqual({ total: 2, items: [first] })
  const channels = await ask('{ noticeChannels { failingSince lastError lastSentAt } }')
  expect(channels).toEqual([
    {
      failingSince: expect.stringMatching(/Z$/) as string,
      lastError: expect.stringContaining('500') as string,
      lastSentAt: null,
    },
  ])
})

test('who may not read notices reads none, who may not write changes none', async () => {
  const ctx = await home().newTenant()
  for (const query of ['{ noticeChannels { id } }', '{ noticeDeliveries { total } }']) {
    await expect(askOf(ctx, ['assets:read'])(query)).rejects.toThrow('forbidden')
    expect(await askOf(ctx, ['notices:read'])(query)).toBeTruthy()
  }
  const id = '00000000-0000-4000-8000-000000000000'
  for (const mutation of [
    'createNoticeChannel(name: "x", kind: mail, address: "a@example.org") { secret }',
    `updateNoticeChannel(id: "${id}") { id }`,
    `deleteNoticeChannel(id: "${id}")`,
    `testNoticeChannel(id: "${id}") { success }`,
  ]) {
    await expect(askOf(ctx, ['notices:read'])(`mutation { ${mutation} }`)).rejects.toThrow('forbidden')
  }
  for (const mutation of [
    `updateNoticeChannel(id: "${id}") { id }`,
    `deleteNoticeChannel(id: "${id}")`,
    `testNoticeChannel(id: "${id}") { success }`,
  ])
    await expect(askOf(ctx)(`mutation { ${mutation} }`)).rejects.toThrow('not_found')
})
