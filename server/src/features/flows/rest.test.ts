import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { addTag, liveFlow, onNewAsset } from './flows.fixture.ts'
import { createFlow } from './flows.ts'

const home = sharedTestApp()

test('GET /flows lists exactly what the contract names, newest first, with count and tenant', async () => {
  const ctx = await home().newTenant()
  const api = home().as(await home().key(ctx, ['read']))
  expect((await api.get('/flows')).body).toEqual({
    data: [],
    meta: { count: 0, tenant: ctx.tenantId },
  })
  const live = await liveFlow(ctx, { trigger: onNewAsset, steps: [addTag('x')] }, 'live')
  const manual = { trigger: { kind: 'manual' }, steps: [addTag('x')] }
  const draft = await createFlow(ctx, { name: 'draft', description: 'not yet', definition: manual })
  const whole = await api.get('/flows')
  expect(whole.status).toBe(200)
  expect(whole.body).toEqual({
    data: [
      {
        id: draft.id,
        name: 'draft',
        description: 'not yet',
        enabled: false,
        triggerType: 'manual',
        lastTriggeredAt: '',
      },
      {
        id: live.id,
        name: 'live',
        description: '',
        enabled: true,
        triggerType: 'event',
        lastTriggeredAt: '',
      },
    ],
    meta: { count: 2, tenant: ctx.tenantId },
  })
  const page = await api.get('/flows?limit=1')
  expect(page.body).toMatchObject({ data: [{ name: 'draft' }], meta: { count: 2 } })
  expect(page.headers['x-next-cursor']).toBe('offset=1')
  expect(page.headers['x-total-count']).toBe('2')
})

test.each([
  [undefined, 401],
  [['recognition:read'], 403],
])('GET /flows with %s is refused with %i', async (scopes, status) => {
  const ctx = await home().newTenant()
  const api = home().as(scopes && (await home().key(ctx, scopes)))
  expect((await api.get('/flows')).status).toBe(status)
})
