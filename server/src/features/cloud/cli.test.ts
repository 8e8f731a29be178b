import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { AZURE_SECRET, azureValues, startAzure } from '#test/support/cloud-providers/azure-replay.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'
import { work } from './cloud.fixture.ts'

const home = sharedTestApp()

const run = (
  ctx: Ctx,
  path: string,
  options: Record<string, string | true> = {},
  args: Record<string, string> = {},
) => {
  const command = commands.find((it) => it.path === path)
  if (!command) throw new Error(`no command ${path}`)
  return command.run(ctx, { args, options })
}

async function azureOptions(secret = AZURE_SECRET) {
  const { clientSecret: _, ...settings } = azureValues(await startAzure(1))
  const file = join(tmpdir(), `cloud-secret-${randomUUID()}`)
  writeFileSync(file, `${secret}\n`)
  const set = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  return { provider: 'Azure', 'sign-in': 'client_secret', set: set.join('\n'), 'secret-file': file }
}

test('cloud connect tests, saves, and what is read then is listed; no output holds the secret', async () => {
  const ctx = await home().newTenant()
  const made = await run(ctx, 'cloud connect', { name: 'Azure', ...(await azureOptions()) })
  expect(made.text).toContain('allowed  compute')
  expect(made.text).toContain('REFUSED  account of forbidden')
  await work(ctx)
  const list = await run(ctx, 'cloud list')
  expect(list.text).toMatch(/Azure Azure: read \d{4}-/)
  const resources = await run(ctx, 'cloud resources', { type: 'compute' })
  expect(resources.text.split('\n')).toHaveLength(2)
  expect(JSON.stringify([made, list, resources])).not.toContain(AZURE_SECRET)
})

test('cloud connect saves nothing when the provider refuses the secret', async () => {
  const ctx = await home().newTenant()
  const { isBad, text } = await run(ctx, 'cloud connect', { name: 'Azure', ...(await azureOptions('wrong')) })
  expect(isBad).toBe(true)
  expect(text).toContain('AADSTS7000215: Invalid client secret provided.')
  expect((await run(ctx, 'cloud list')).json).toEqual([])
})

test.each([
  [{ provider: 'IBM' }, 'provider'],
  [{ 'sign-in': 'magic' }, 'signIn'],
  [{ set: 'directory' }, 'set'],
  [{ set: 'colour=red' }, 'colour'],
  [{ set: 'clientSecret=x' }, 'set'],
  [{ set: 'directory=d\nclientId=7' }, 'clientId'],
  [{ 'secret-file': '/nowhere' }, 'secret-file'],
])('cloud test refuses %j, naming %s', async (options, field) => {
  const ctx = await home().newTenant()
  const given = { ...(await azureOptions()), ...options }
  await expect(run(ctx, 'cloud test', given)).rejects.toMatchObject({ status: 400, extras: { field } })
})

test('cloud update, coverage and delete change and tell of one connection', async () => {
  const ctx = await home().newTenant()
  const options = await azureOptions()
  const made = await run(ctx, 'cloud connect', { name: 'Azure', ...options })
  const { id } = made.json as { id: string }
  await work(ctx)
  const coverage = await run(ctx, 'cloud coverage', {}, { id })
  expect(coverage.isBad).toBe(true)
  expect(coverage.text).toMatch(
    /failed {2}forbidden all regions compute: 0, last read to its end NEVER: no access/,
  )
  const changed = await run(
    ctx,
    'cloud update',
    { name: 'Directory', off: true, 'secret-file': options['secret-file'] },
    { id },
  )
  expect(changed.text).toBe(`${id}  Azure Directory: off`)
  await expect(run(ctx, 'cloud update', { on: true, off: true }, { id })).rejects.toMatchObject({
    status: 400,
  })
  expect((await run(ctx, 'cloud delete', {}, { id })).text).toBe('Directory is deleted')
  expect((await run(ctx, 'cloud list')).json).toEqual([])
})

test.each([
  ['AWS', 'web_identity', /oidc\/cloud:sub": "tenant:[0-9a-f-]+:connection:/],
  ['AWS', 'access_key', /"sts:ExternalId": "rollcall-/],
  ['Azure', 'federated', /"subject": "tenant:/],
  ['Azure', 'client_secret', /az ad app credential reset/],
  ['GCP', 'workload_identity', /jwks.json/],
  ['GCP', 'service_account_key', /keys create key.json/],
])('cloud policy of %s by %s is ready to paste', async (provider, signIn, expected) => {
  const ctx = await home().newTenant()
  const { text, json } = await run(ctx, 'cloud policy', { provider, 'sign-in': signIn })
  expect(text).toMatch(expected)
  const { steps } = json as { steps: { title: string; text: string }[] }
  for (const step of steps.filter(({ title }) => title.endsWith('.json'))) JSON.parse(step.text)
  await expect(run(ctx, 'cloud policy', { provider, 'sign-in': 'magic' })).rejects.toMatchObject({
    status: 400,
  })
})
