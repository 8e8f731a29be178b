import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { liveFlow } from './flows.fixture.ts'
import { exportFlow, importFlow } from './export-flow.ts'
import { listVersions } from './flows.ts'
import { setFlowSecret } from './secrets/flow-secrets.ts'

const home = sharedTestApp()

test('an exported flow comes into another tenant as a draft, secrets by name alone', async () => {
  const ctx = await home().newTenant()
  await setFlowSecret(ctx, 'token', 'a word nobody knows')
  const headers = { authorization: '{{secrets.token}}' }
  const flow = await liveFlow(ctx, {
    trigger: { kind: 'manual' },
    steps: [{ action: 'http_request', with: { url: 'https://example.org', headers } }],
  })
  const file = JSON.parse(JSON.stringify(await exportFlow(ctx, flow.id))) as Record<string, unknown>
  expect(file).toMatchObject({ schema: 'rollcall.flow/1', name: 'flow', secrets: ['token'] })
  expect(JSON.stringify(file)).not.toContain('nobody knows')
  const other = await home().newTenant()
  const imported = await importFlow(other, file)
  expect(imported).toMatchObject({ name: 'flow', enabled: false, publishedVersion: null })
  const [version] = await listVersions(other, imported.id)
  expect(version).toMatchObject({ state: 'draft', definition: file['definition'] })
})

test.each([
  [{ schema: 'else' }, 'schema'],
  [{ name: 'changed' }, 'digest'],
  [{ name: 5 }, 'name'],
  [{ definition: { trigger: { kind: 'manual' }, steps: [] }, digest: undefined }, 'steps'],
])('a file with %j is refused', async (change, field) => {
  const ctx = await home().newTenant()
  const { id } = await liveFlow(ctx, { trigger: { kind: 'manual' }, steps: [{ action: 'stop' }] })
  const file = { ...(await exportFlow(ctx, id)), ...change }
  await expect(importFlow(ctx, file)).rejects.toMatchObject({ status: 400, extras: { field } })
})
