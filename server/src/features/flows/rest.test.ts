import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { whileOthersWrite } from '#test/support/app/while-others-write.ts'
import { addTag, liveFlow, onNewAsset } from './flows.fixture.ts'
import { createFlow, getFlow, listFlows } from './flows.ts'

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

test('a flow is exported as a file, and imported from it as a draft', async () => {
  const ctx = await home().newTenant()
  const api = home().as(await home().key(ctx, ['write']))
  const { id } = await liveFlow(ctx, { trigger: onNewAsset, steps: [addTag('x')] }, 'tagging')
  const file = await api.get(`/flows/${id}/export`)
  expect(file.status).toBe(200)
  expect(file.body).toMatchObject({ schema: 'rollcall.flow/1', name: 'tagging', secrets: [] })
  const made = await api.post('/flows/import', file.body)
  expect(made.status).toBe(201)
  expect(made.body).toEqual({
    id: expect.any(String),
    name: 'tagging',
    description: '',
    enabled: false,
    triggerType: 'event',
    lastTriggeredAt: '',
  })
  expect((await getFlow(ctx, (made.body as { id: string }).id)).publishedVersion).toBeNull()
})

test.each([
  [{ schema: 'other/1' }, 'schema'],
  [{ name: '', digest: undefined }, 'name'],
  [{ digest: '00' }, 'digest'],
  [
    { definition: { trigger: { kind: 'manual' }, steps: [{ action: 'fly' }] }, digest: undefined },
    'steps[0].action',
  ],
])('POST /flows/import refuses %j with 400 and names the place', async (change, place) => {
  const ctx = await home().newTenant()
  const api = home().as(await home().key(ctx, ['write']))
  const manual = { trigger: { kind: 'manual' }, steps: [{ action: 'stop' }] }
  const { id } = await createFlow(ctx, { name: 'f', definition: manual })
  const file = (await api.get(`/flows/${id}/export`)).body as object
  const answer = await api.post('/flows/import', { ...file, ...change })
  expect(answer.status).toBe(400)
  expect(JSON.stringify(answer.body)).toContain(place)
})

test('import and export keep scopes, and a stranger finds nothing', async () => {
  const ctx = await home().newTenant()
  const manual = { trigger: { kind: 'manual' }, steps: [{ action: 'stop' }] }
  const { id } = await createFlow(ctx, { name: 'f', definition: manual })
  const reader = home().as(await home().key(ctx, ['read']))
  expect((await reader.post('/flows/import', { schema: 'rollcall.flow/1' })).status).toBe(403)
  const stranger = home().as(await home().key(await home().newTenant(), ['read']))
  expect((await stranger.get(`/flows/${id}/export`)).status).toBe(404)
})

test('the total of the list is of its page, whatever comes meanwhile', async () => {
  const ctx = await home().newTenant()
  const definition = { trigger: { kind: 'manual' }, steps: [addTag('x')] }
  const make = () => createFlow(ctx, { name: 'draft', definition })
  await make()
  const { items, total } = await listFlows(whileOthersWrite(ctx, make), { limit: 50, offset: 0 })
  expect(total).toBe(items.length)
})
