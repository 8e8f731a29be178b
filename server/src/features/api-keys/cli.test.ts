import { expect, test } from 'vitest'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'

function run(
  ctx: Ctx,
  path: string,
  id: string,
  options: CommandInput['options'] = {},
): Promise<CommandResult> {
  const command = commands.find((it) => it.path === path)
  if (!command) throw new Error(`no command ${path}`)
  return command.run(ctx, { args: { id }, options })
}

const issued = {
  id: expect.any(String) as unknown,
  name: 'ci',
  prefix: expect.stringMatching(/^[0-9a-f]{8}$/) as unknown,
  api_key: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
  scopes: ['read', 'recognition:read'],
  expires_at: null,
}

test('a key is made, listed, rotated and revoked, with one shape throughout', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  const wishes = { name: 'ci', scopes: 'recognition:read, read', 'expires-in-days': 'never' }
  const created = await run(ctx, 'key create', '', wishes)
  expect(created.json).toEqual(issued)
  const { id, api_key: secret } = created.json as { id: string; api_key: string }
  expect(created.text).toContain(secret)
  const rotated = await run(ctx, 'key rotate', id)
  expect(rotated.json).toEqual(issued)
  const { id: nextId } = rotated.json as { id: string }
  expect((await run(ctx, 'key revoke', nextId)).json).toMatchObject({
    id: nextId,
    revoked_at: expect.stringMatching(/Z$/),
  })
  const list = await run(ctx, 'key list', '')
  expect(list.json).toMatchObject([
    { id: nextId, name: 'ci', scopes: ['read', 'recognition:read'], expires_at: null, last_used_at: null },
    { id, revoked_at: expect.any(String) },
  ])
  expect(JSON.stringify(list)).not.toContain(secret)
})

test.each([
  [{ 'expires-in-days': 'soon' }, 'expires-in-days'],
  [{ 'expires-in-days': '-1' }, 'expires-in-days'],
  [{ 'expires-in-days': '0' }, 'expires_in_days'],
  [{ scopes: 'read,root' }, 'scopes'],
  [{ scopes: '' }, 'scopes'],
  [{ name: '' }, 'name'],
])('%j is refused', async (wrong, field) => {
  const { newTenant } = await testApp()
  const making = run(await newTenant(), 'key create', '', { name: 'k', scopes: 'read', ...wrong })
  await expect(making).rejects.toMatchObject({ status: 400, extras: { field } })
})
