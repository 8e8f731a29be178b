import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { newPerson } from '#test/support/http/browser-session.ts'
import { exceptionCommands } from './cli-exceptions.ts'
import { setExceptionsNeedApproval } from './exceptions/exceptions.ts'

const shared = sharedTestApp()
let ctx: Ctx
beforeAll(async () => {
  ctx = await shared().newTenant()
})

async function run(path: string, options: Record<string, string>, id = '') {
  const command = exceptionCommands.find((it) => it.path === `compliance exception ${path}`)
  if (!command) throw new Error(`no command ${path}`)
  return command.run(ctx, { args: { id }, options })
}
const idOf = ({ json }: { readonly json: unknown }) => (json as { readonly id: string }).id
const inDays = (days: number) => new Date(ctx.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)

test('an exception is proposed, approved by another member, listed and ended', async () => {
  const [ann, bob] = [await newPerson(shared(), ctx), await newPerson(shared(), ctx)]
  await setExceptionsNeedApproval(ctx, true)
  const made = await run('create', {
    check: 'no-telnet',
    tag: 'lab',
    reason: 'a lab',
    until: inDays(10),
    by: ann.email,
  })
  expect(made.json).toMatchObject({
    state: 'proposed',
    tag: 'lab',
    ownerName: ann.email,
    expiresAt: `${inDays(10)}T23:59:59.999Z`,
  })
  await expect(run('approve', { by: ann.email }, idOf(made))).rejects.toThrow('a second person')
  const approved = await run('approve', { by: bob.email }, idOf(made))
  expect(approved.text).toContain(`${idOf(made)}  active    Telnet`)
  expect(approved.text).toContain(`tag lab\n    until ${inDays(10)}`)
  expect((await run('list', { state: 'active' })).text).toBe(approved.text)
  expect((await run('list', { check: 'no-ftp' })).text).toBe('There are none.')
  const ended = await run('end', { reason: 'rebuilt' }, idOf(made))
  expect(ended.text).toContain(': rebuilt; ')
  expect((await run('list', { state: 'active' })).json).toEqual([])
})

test('a preview says how many it would cover and writes nothing', async () => {
  const { json, text } = await run('preview', { check: 'no-telnet', where: 'tag = lab' })
  expect(json).toMatchObject({ assets: 0, failing: 0, listed: [] })
  expect(text).toBe('Of 0 assets, 0 fail.')
})

test.each([
  ['create', { check: 'no-telnet', reason: 'x', until: 'soon', by: 'ann' }, 'until', true],
  ['create', { check: 'no-telnet', reason: 'x', until: '2027-02-31', by: 'ann' }, 'until', true],
  ['create', { check: 'no-telnet', reason: 'x', until: '2999-01-01', by: 'nobody@example.org' }, 'by', false],
  ['list', { state: 'gone' }, 'state', false],
] as const)('%s with %j is refused and names %s', async (path, options, field, isOfMember) => {
  const by = isOfMember ? (await newPerson(shared(), ctx)).email : undefined
  await expect(run(path, { ...options, ...(by && { by }) })).rejects.toMatchObject({
    status: 400,
    extras: { field },
  })
})
