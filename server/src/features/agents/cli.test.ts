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
  const options = { name: 'Paris', tag: 'paris\noffice', 'expires-in-days': 'never' }
  const made = await run(ctx, 'agent token create', { options, site: await home().address() })
  const { id, token, address } = made.json as { id: string; token: string; address: string }
  expect(made.text).toContain(address)
  expect(made.text).toContain(`rollcall-agent enrol ${await home().address()} ${token}`)
  await postJson(address, { action: 'contact', deviceid: 'pc-1' })
  const tokens = await run(ctx, 'agent token list')
  expect(tokens.json).toMatchObject([{ name: 'Paris', tags: ['paris', 'office'], expires_at: null }])
  expect(JSON.stringify(tokens)).not.toContain(token)
  const agents = await run(ctx, 'agent list')
  expect(agents.json).toMatchObject([{ kind: 'glpi', device_id: 'pc-1', state: 'waiting', version: '1.11' }])
  expect(agents.text).toMatch(/^[\da-f-]{36} {2}pc-1 {2}glpi 1\.11 {2}waiting, no report yet \(connected at /)
  const [agent] = agents.json as { id: string }[]
  for (const path of ['agent rekey', 'agent revoke'])
    await expect(run(ctx, path, { args: { id: agent?.id ?? '' } })).rejects.toMatchObject({ status: 409 })
  expect((await run(ctx, 'agent token revoke', { args: { id } })).text).toContain('revoked')
})

test('days that are no number are refused', async () => {
  const ctx = await home().newTenant()
  const creating = run(ctx, 'agent token create', { options: { name: 'x', 'expires-in-days': 'soon' } })
  await expect(creating).rejects.toMatchObject({ extras: { field: 'expires-in-days' } })
})
