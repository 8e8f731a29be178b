import { expect, test } from 'vitest'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'

function run(
  ctx: Ctx,
  path: string,
  args: Record<string, string> = {},
  options: CommandInput['options'] = {},
): Promise<CommandResult> {
  const command = commands.find((it) => it.path === path)
  if (!command) throw new Error(`no command ${path}`)
  return command.run(ctx, { args, options })
}

test('a partner is created, given a key, turned off and deleted', async () => {
  const ctx = await (await testApp()).newTenant()
  const options = { name: 'Northwind', slug: 'northwind', email: 'it@northwind.example', 'rate-limit': '7' }
  const { json } = await run(ctx, 'partner create', {}, options)
  expect(json).toMatchObject({ slug: 'northwind', quota_limit: 10_000, rate_limit: 7, api_enabled: true })
  const { id: partner } = json as { id: string }
  const key = await run(
    ctx,
    'partner key create',
    { partner },
    { scopes: 'partner:read, webhook:read', 'expires-in-days': 'never' },
  )
  const { api_key: secret, id } = key.json as { api_key: string; id: string }
  expect(key.text).toContain(secret)
  expect(key.json).toMatchObject({ scopes: ['partner:read', 'webhook:read'], expires_at: null, name: '' })
  const keys = await run(ctx, 'partner key list', { partner })
  expect(keys.json).toMatchObject([{ id, prefix: secret.slice(0, 11) }])
  expect(JSON.stringify(keys)).not.toContain(secret)
  expect((await run(ctx, 'partner key revoke', { partner, id })).json).toMatchObject({ id })
  expect((await run(ctx, 'partner update', { partner }, { api: 'off' })).text).toContain('API off')
  expect((await run(ctx, 'partner list')).json).toMatchObject([{ id: partner, api_enabled: false }])
  await run(ctx, 'partner delete', { partner })
  expect((await run(ctx, 'partner list')).json).toEqual([])
})

test.each([
  ['partner update', { api: 'maybe' }, 'api'],
  ['partner update', { 'rate-limit': 'many' }, 'rate-limit'],
  ['partner key create', { scopes: 'all' }, 'scopes'],
  ['partner key create', { scopes: 'partner:read', 'expires-in-days': '-1' }, 'expires-in-days'],
])('%s %j is refused by name', async (path, options, field) => {
  const ctx = await (await testApp()).newTenant()
  const { json } = await run(ctx, 'partner create', {}, { name: 'n', slug: 's', email: 'a@b' })
  const { id: partner } = json as { id: string }
  await expect(run(ctx, path, { partner }, options)).rejects.toMatchObject({ extras: { field } })
})
