import { expect, test } from 'vitest'
import type { CommandInput } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { postJson } from '#test/support/endpoint-agents/agent-messages.ts'
import { commands } from './cli.ts'

const home = sharedTestApp()

const run = (ctx: Ctx, path: string, input: Partial<CommandInput> = {}) => {
  const command = commands.find((it) => it.path === path)
  if (!command) throw new Error(`no command ${path}`)
  return command.run(ctx, { args: {}, options: {}, ...input })
}

test('a token is made, used, listed without its secret, and revoked; its agent is listed', async () => {
  const ctx = await home().newTenant()
  const options = { name: 'Paris', tag: 'paris\noffice', kind: 'both', uses: '20', 'expires-in-days': '90' }
  const made = await run(ctx, 'agent token create', { options, site: await home().address() })
  const { id, token, address } = made.json as { id: string; token: string; address: string }
  expect(made.text).toContain(address)
  expect(made.text).toContain(`rollcall-agent enrol ${await home().address()} ${token}`)
  await postJson(address, { action: 'contact', deviceid: 'pc-1' })
  const tokens = await run(ctx, 'agent token list')
  expect(tokens.json).toMatchObject([
    { name: 'Paris', kind: 'both', uses: 0, uses_max: 20, needs_approval: false, tags: ['paris', 'office'] },
  ])
  expect(JSON.stringify(tokens)).not.toContain(token)
  const agents = await run(ctx, 'agent list')
  expect(agents.json).toMatchObject([{ kind: 'glpi', device_id: 'pc-1', state: 'waiting', version: '1.11' }])
  expect(agents.text).toMatch(/^[\da-f-]{36} {2}pc-1 {2}glpi 1\.11 {2}waiting, no report yet \(connected at /)
  const [agent] = agents.json as { id: string }[]
  for (const path of ['agent approve', 'agent rekey', 'agent revoke'])
    await expect(run(ctx, path, { args: { id: agent?.id ?? '' } })).rejects.toMatchObject({ status: 409 })
  expect((await run(ctx, 'agent token revoke', { args: { id } })).text).toContain('revoked')
})

test.each([
  ['expires-in-days', 'soon'],
  ['uses', 'many'],
  ['kind', 'glpi'],
])('%s %s is refused', async (field, value) => {
  const ctx = await home().newTenant()
  const creating = run(ctx, 'agent token create', { options: { name: 'x', [field]: value } })
  await expect(creating).rejects.toMatchObject({ extras: { field } })
})

test('a token for our own agent comes with three lines, one for others with an address', async () => {
  const ctx = await home().newTenant()
  const own = await run(ctx, 'agent token create', { options: { name: 'x' } })
  expect(own.json).toMatchObject({
    kind: 'agent',
    uses_max: 1,
    install: [{}, {}, {}].map(() => expect.any(String)),
  })
  expect(own.json).not.toHaveProperty('address')
  expect(own.json).toMatchObject({ tags: [], networks: [] })
  const narrow = { name: 'x', tag: 'site:a\nsite:b', network: '192.0.2.0/24' }
  expect((await run(ctx, 'agent token create', { options: narrow })).json).toMatchObject({
    tags: ['site:a', 'site:b'],
    networks: ['192.0.2.0/24'],
  })
  const others = await run(ctx, 'agent token create', { options: { name: 'x', kind: 'dropin' } })
  expect(others.json).toMatchObject({
    kind: 'dropin',
    uses_max: null,
    address: expect.stringContaining('/t/rce_'),
  })
  expect(others.json).not.toHaveProperty('install')
})
