import { expect, test } from 'vitest'
import type { CommandInput } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { newPerson } from '#test/support/http/browser-session.ts'
import { commands } from './cli.ts'

const home = sharedTestApp()

async function run(
  ctx: Ctx,
  path: string,
  args: CommandInput['args'],
  options: CommandInput['options'] = {},
) {
  const command = commands.find((it) => it.path === path)
  if (!command) throw new Error(`there is no command ${path}`)
  return command.run(ctx, { args, options })
}

test('rules of a member are added, listed, switched and removed', async () => {
  const ctx = await home().newTenant()
  const { email } = await newPerson(home(), ctx, { isAdmin: true })
  const options = { event: 'NEW_ASSET\nUNLINK', where: 'event.asset_name: print', digest: 'daily' }
  const added = await run(ctx, 'notice rule-add', { email, name: 'Printers' }, options)
  const { id } = added.json as { id: string }
  expect((await run(ctx, 'notice rules', { email })).text).toBe(
    `${id}  Printers  NEW_ASSET,UNLINK  daily  on`,
  )
  expect((await run(ctx, 'notice rule-off', { email, id })).text).toContain('daily  off')
  expect((await run(ctx, 'notice rule-on', { email, id })).text).toContain('daily  on')
  await run(ctx, 'notice rule-remove', { email, id })
  expect((await run(ctx, 'notice rules', { email })).text).toBe('')
})

test('a stranger, a digest and an event type that there are not are refused with their names', async () => {
  const ctx = await home().newTenant()
  const { email } = await newPerson(home(), ctx, { isAdmin: true })
  await expect(run(ctx, 'notice rules', { email: 'stranger@example.net' })).rejects.toMatchObject({
    status: 404,
  })
  await expect(
    run(ctx, 'notice rule-add', { email, name: 'x' }, { event: 'NEW_ASSET', digest: 'weekly' }),
  ).rejects.toMatchObject({ status: 400, extras: { field: 'digest' } })
  await expect(run(ctx, 'notice rule-add', { email, name: 'x' }, { event: 'NOTHING' })).rejects.toMatchObject(
    { status: 400, extras: { field: 'eventTypes' } },
  )
})

test('what waits is said, and that nothing does', async () => {
  const ctx = await home().newTenant()
  const { email } = await newPerson(home(), ctx, { isAdmin: true })
  expect((await run(ctx, 'notice waiting', { email })).json).toEqual(
    (await run(ctx, 'notice waiting', {})).json,
  )
})
