import { expect, test } from 'vitest'
import type { CommandInput, CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp, testApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'
import { newPartner } from './partners.fixture.ts'

const shared = sharedTestApp()

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

test('what commands print names partners and keys with what holds for them', async () => {
  const ctx = await shared().newTenant()
  const { id } = await newPartner(ctx, { name: 'Northwind', slug: 'northwind' })
  const off = await newPartner(ctx, { name: 'Contoso', slug: 'contoso' })
  const limits = { 'quota-limit': '12', 'rate-limit': '34', api: 'off' }
  const changed = await run(ctx, 'partner update', { partner: off.id }, limits)
  expect(changed.json).toMatchObject({
    quota_limit: 12,
    rate_limit: 34,
    api_enabled: false,
    created_at: off.createdAt,
  })
  const list = await run(ctx, 'partner list')
  expect(list.text.split('\n')).toEqual([
    `${off.id}  contoso  Contoso  API off`,
    `${id}  northwind  Northwind  API on`,
  ])
  expect((await run(ctx, 'partner update', { partner: off.id }, { api: 'on' })).text).toContain('API on')
  const args = { partner: id }
  const named = await run(ctx, 'partner key create', args, {
    name: 'feed',
    scopes: 'partner:read',
    'expires-in-days': '3',
  })
  const { prefix, expires_at: expiresAt } = named.json as { prefix: string; expires_at: string }
  await run(ctx, 'partner key create', args, {
    scopes: 'partner:read,webhook:read',
    'expires-in-days': 'never',
  })
  const usual = await run(ctx, 'partner key create', args, { scopes: 'partner:read' })
  const { expires_at: usually } = usual.json as { expires_at: string }
  expect(Math.round((Date.parse(usually) - Date.now()) / 86_400_000)).toBe(90)
  const keys = await run(ctx, 'partner key list', args)
  const lines = keys.text.split('\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toMatch(/ {2}partner:read,webhook:read {2}expires never$/)
  expect(lines[2]).toContain(`${prefix}…  feed  partner:read  expires ${expiresAt}`)
})

test('a command that is given no tenant finds that of the partner', async () => {
  const ctx = await shared().newTenant()
  const { id } = await newPartner(ctx)
  const { system } = shared().runtime
  const ofPartners = commands.filter((it) => it.tenantOf)
  expect(ofPartners.map(({ path }) => path)).toContain('partner key list')
  for (const { tenantOf } of ofPartners) {
    const look = (partner: string) => tenantOf?.(system, { args: { partner }, options: {} })
    expect(await look(id)).toBe(ctx.tenantId)
    for (const unknown of ['nobody', '00000000-0000-4000-8000-000000000000'])
      await expect(look(unknown)).rejects.toMatchObject({ status: 404 })
  }
})
