import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { CommandResult } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'

const home = sharedTestApp()

async function run<T = { id: string }>(
  ctx: Ctx,
  path: string,
  { id = '', name = '', site }: { readonly id?: string; readonly name?: string; readonly site?: string } = {},
): Promise<Omit<CommandResult, 'json'> & { json: T }> {
  const command = commands.find((it) => it.path === `collector ${path}`)
  if (!command) throw new Error(`no command ${path}`)
  const result = await command.run(ctx, {
    args: { id },
    options: { name },
    ...(site !== undefined && { site }),
  })
  return { ...result, json: result.json as T }
}

test('a collector is made with the lines that start it, listed, revoked and deleted', async () => {
  const ctx = await home().newTenant()
  const made = await run<{ id: string; secret: string }>(ctx, 'create', {
    name: 'Oslo',
    site: 'https://rollcall.test',
  })
  const { id, secret } = made.json
  const environment = [
    `export ROLES=collector COLLECTOR_SERVER=https://rollcall.test COLLECTOR_SECRET=${secret}`,
    'npm start',
  ]
  const collector = {
    id,
    name: 'Oslo',
    state: 'waiting',
    version: '',
    address: '',
    created_at: expect.any(String) as string,
    enrolled_at: null,
    last_seen_at: null,
    revoked_at: null,
    shared_at: null,
  }
  expect(secret).toMatch(/^rcc_[0-9a-f]{64}$/)
  expect(made.json).toEqual({ ...collector, secret, environment })
  const line = `${id}  Oslo  waiting  never heard of`
  expect(made.text).toBe(
    `${line}\n\nOn the machine that is to scan, within a day:\n${environment.join('\n')}`,
  )
  expect(await run(ctx, 'list')).toEqual({ json: [collector], text: line })
  const revoked = await run<{ revoked_at: string }>(ctx, 'revoke', { id })
  expect(revoked.json).toEqual({
    ...collector,
    state: 'revoked',
    revoked_at: expect.stringMatching(/Z$/) as string,
  })
  expect(revoked.text).toBe(`${id}  Oslo  revoked  never heard of`)
  expect((await run(ctx, 'revoke', { id })).json).toEqual(revoked.json)
  expect(await run(ctx, 'delete', { id })).toEqual({ json: { id }, text: 'Deleted.' })
  expect((await run(ctx, 'list')).json).toEqual([])
})

test('without an address of the installation the line has a place for it', async () => {
  const { text } = await run(await home().newTenant(), 'create', { name: 'Oslo' })
  expect(text).toContain('COLLECTOR_SERVER=https://HOST COLLECTOR_SECRET=rcc_')
})

test.each<[string, { readonly seen: number; readonly shared?: number }, string]>([
  ['is online', { seen: 29 }, 'online  1.2.3  192.0.2.9  2026-03-01T11:59:31Z'],
  ['is online to the last moment', { seen: 30 }, 'online  1.2.3  192.0.2.9  2026-03-01T11:59:30Z'],
  ['has fallen silent', { seen: 31 }, 'offline  1.2.3  192.0.2.9  2026-03-01T11:59:29Z'],
  [
    'runs twice',
    { seen: 5, shared: 60 },
    'online  1.2.3  192.0.2.9  2026-03-01T11:59:55Z  TWO PROCESSES HAD ITS IDENTITY at 2026-03-01T11:59:00Z',
  ],
])('a collector that %s is listed as such', async (_, { seen, shared = null }, line) => {
  const ctx = await home().newTenant()
  const { id } = (await run(ctx, 'create', { name: 'Oslo' })).json
  const now = new Date('2026-03-01T12:00:00Z')
  const ago = (seconds: number | null) =>
    seconds === null ? null : new Date(now.getTime() - seconds * 1_000)
  await ctx.db.run(sql`
    update collectors set enrolled_at = ${ago(3_600)}, version = '1.2.3', address = '192.0.2.9', last_seen_at = ${ago(seen)},
      shared_at = ${ago(shared)} where tenant_id = ${ctx.tenantId}`)
  expect((await run({ ...ctx, now: () => now }, 'list')).text).toBe(`${id}  Oslo  ${line}`)
})

test.each(['revoke', 'delete'])('%s names what is not there', async (path) => {
  const ctx = await home().newTenant()
  for (const id of ['oslo', '00000000-0000-4000-8000-000000000000'])
    await expect(run(ctx, path, { id })).rejects.toMatchObject({
      status: 404,
      message: 'collector not found',
    })
})
