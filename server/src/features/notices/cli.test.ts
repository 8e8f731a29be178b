import { expect, test } from 'vitest'
import type { CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { commands } from './cli.ts'
import { sendDue } from './delivery/send-due.ts'
import { enqueueNotice, updateChannel } from './notices.ts'

const home = sharedTestApp()

async function run<T = { id: string }>(
  ctx: Ctx,
  path: string,
  args: Readonly<Record<string, string>> = {},
  options: Readonly<Record<string, string>> = {},
): Promise<Omit<CommandResult, 'json'> & { json: T }> {
  const command = commands.find((it) => it.path === `notice ${path}`)
  if (!command) throw new Error(`no command ${path}`)
  const result = await command.run(ctx, { args, options })
  return { ...result, json: result.json as T }
}

interface Added {
  readonly channel: { readonly id: string }
  readonly secret: string | null
}

const add = (ctx: Ctx, kind: string, destination: string, options: Readonly<Record<string, string>> = {}) =>
  run<Added>(ctx, 'channel-add', { name: `my ${kind}`, kind, destination }, options)

test('channels are added, listed with how they are, tested and removed', async () => {
  const ctx = await home().newTenant()
  const there = await receiver()
  const { host } = new URL(there.url)
  const added = await add(ctx, 'generic', there.url)
  const { id } = added.json.channel
  expect(added.text).toBe(`Added my generic (${id}). Secret, shown this once: ${added.json.secret}`)
  const list = async () => (await run(ctx, 'channels')).text
  expect(await list()).toBe(`${id}  generic  my generic  ${host}  on`)
  expect(await run(ctx, 'channel-test', { id })).toEqual({
    json: { success: true, error: null },
    text: 'Sent.',
  })
  expect(there.requests).toHaveLength(1)
  await updateChannel(ctx, id, { active: false })
  expect(await list()).toBe(`${id}  generic  my generic  ${host}  off`)
  await expect(run(ctx, 'channel-test', { id })).rejects.toThrow('the channel is switched off')
  expect(await run(ctx, 'channel-remove', { id })).toEqual({ json: { id }, text: 'Removed.' })
  expect(await list()).toBe('')
  await expect(run(ctx, 'channel-remove', { id })).rejects.toMatchObject({ status: 404 })
})

test('a test that does not arrive says why, and so does the list', async () => {
  const ctx = await home().newTenant()
  const there = await receiver(() => 500)
  const { id } = (await add(ctx, 'slack', there.url)).json.channel
  const { json, text } = await run<{ success: boolean; error: string }>(ctx, 'channel-test', { id })
  expect(json).toEqual({ success: false, error: expect.stringContaining('500') as string })
  expect(text).toBe(`Not sent: ${json.error}`)
  expect((await run(ctx, 'channels')).text).toMatch(new RegExp(`  ${json.error}$`))
})

test.each([
  ['slack', 'https://127.0.0.1/hook', {}, 'my slack'],
  ['ntfy', 'https://127.0.0.1/topic', { token: 'tk_1' }, 'my ntfy'],
  ['mail', 'team@example.org', {}, 'my mail'],
])('a channel of %s has no secret to show', async (kind, destination, options, name) => {
  const added = await add(await home().newTenant(), kind, destination, options)
  expect(added.text).toBe(`Added ${name} (${added.json.channel.id}).`)
  expect(added.json).toMatchObject({ channel: { kind, active: true }, secret: null })
})

test.each([
  ['pigeon', 'https://127.0.0.1/', {}, 'kind'],
  ['mail', 'https://127.0.0.1/', {}, 'address'],
  ['slack', 'team@example.org', {}, 'url'],
  ['ntfy', 'https://127.0.0.1/', {}, 'url'],
  ['ntfy', 'https://127.0.0.1/topic', { token: 'with space' }, 'token'],
])('a channel of %s to %s with %j is refused by its %s', async (kind, destination, options, field) => {
  const ctx = await home().newTenant()
  await expect(add(ctx, kind, destination, options)).rejects.toMatchObject({ status: 400, extras: { field } })
})

test('what became of notices is listed, newest first', async () => {
  const ctx = await home().newTenant()
  const there = await receiver(() => 500)
  const { id } = (await add(ctx, 'slack', there.url)).json.channel
  for (const n of [1, 2])
    await enqueueNotice(ctx, {
      topic: `topic ${n}`,
      subject: `Subject ${n}`,
      text: 'text',
      dedupeKey: `${n}`,
      recipients: [{ channelId: id }],
    })
  await sendDue(ctx, AbortSignal.timeout(60_000))
  const { json, text } = await run<{ createdAt: string; error: string }[]>(ctx, 'deliveries')
  const [newest, oldest] = json
  expect(json).toMatchObject(
    [2, 1].map((n) => ({ subject: `Subject ${n}`, recipient: 'my slack', status: 'waiting' })),
  )
  expect(oldest?.error).toContain('500')
  expect(text.split('\n')).toEqual([
    `${newest?.createdAt}  waiting  my slack  Subject 2  `,
    `${oldest?.createdAt}  waiting  my slack  Subject 1  ${oldest?.error}`,
  ])
})
