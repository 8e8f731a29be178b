import { expect, test } from 'vitest'
import { azureValues, startAzure } from '#test/support/cloud-providers/azure-replay.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { whileOthersWrite } from '#test/support/app/while-others-write.ts'
import { anyResource, connectAndRead } from './cloud.fixture.ts'
import { listResources } from './cloud.ts'

const home = sharedTestApp()

interface Answer {
  readonly data: readonly Record<string, string>[]
  readonly meta: { readonly count: number; readonly tenant: string }
}

async function estate(scopes?: readonly string[]) {
  const ctx = await home().newTenant()
  await connectAndRead(ctx, {
    provider: 'Azure',
    signIn: 'client_secret',
    values: azureValues(await startAzure(3)),
  })
  return { ctx, api: home().as(await home().key(ctx, scopes)) }
}

let shared: ReturnType<typeof estate> | undefined

test('GET /cloud-resources -> 200 with the fields of the contract alone, meta and the headers of a list', async () => {
  const { ctx, api } = await estate(['read'])
  const { status, body, headers } = await api.get<Answer>('/cloud-resources?limit=5')
  expect(status).toBe(200)
  expect(Object.keys(body).toSorted()).toEqual(['data', 'meta'])
  expect(body.meta).toEqual({ count: 14, tenant: ctx.tenantId })
  expect(body.data).toHaveLength(5)
  expect(body.data[0]).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    provider: 'Azure',
    name: 'aks1',
    type: 'kubernetes',
    region: 'northeurope',
    status: 'Running',
  })
  expect(headers).toMatchObject({
    'x-total-count': '14',
    'x-total-pages': '3',
    'x-page': '1',
    'x-per-page': '5',
    'x-next-cursor': 'offset=5',
  })
})

test('GET /cloud-resources -> every resource once over its pages; meta stands on a page that is empty', async () => {
  const { ctx, api } = await estate()
  const ids: (string | undefined)[] = []
  for (const offset of [0, 5, 10])
    ids.push(
      ...(await api.get<Answer>(`/cloud-resources?limit=5&offset=${offset}`)).body.data.map(({ id }) => id),
    )
  expect(new Set(ids).size).toBe(14)
  const last = await api.get<Answer>('/cloud-resources?limit=5&offset=100')
  expect(last.body).toEqual({ data: [], meta: { count: 14, tenant: ctx.tenantId } })
  expect(last.headers['x-next-cursor']).toBeUndefined()
})

test('GET /cloud-resources -> an empty list for a tenant without clouds', async () => {
  const ctx = await home().newTenant()
  const { status, body, headers } = await home()
    .as(await home().key(ctx))
    .get<Answer>('/cloud-resources')
  expect({ status, body }).toEqual({
    status: 200,
    body: { data: [], meta: { count: 0, tenant: ctx.tenantId } },
  })
  expect(headers['x-total-count']).toBe('0')
})

test.each([
  ['type=compute', 4],
  ['type=function&provider=Azure', 2],
  ['provider=azure', 14],
  ['provider=AWS', 0],
  ['type=nothing', 0],
  ['region=northeurope', 14],
  ['region=eu', 0],
  ['limit=0', 14],
])('GET /cloud-resources?%s finds %i', async (query, count) => {
  const { api } = await (shared ??= estate())
  expect((await api.get<Answer>(`/cloud-resources?${query}`)).body.meta.count).toBe(count)
})

test('HEAD /cloud-resources -> the headers without a body', async () => {
  const { api } = await (shared ??= estate())
  const { status, headers, text } = await api.head('/cloud-resources')
  expect({ status, total: headers['x-total-count'], text }).toEqual({ status: 200, total: '14', text: '' })
})

test('GET /cloud-resources -> 401 without a key, 403 with another scope, 405 for other methods', async () => {
  const { api } = await estate(['recognition:read'])
  expect(await home().as().get('/cloud-resources')).toMatchObject({
    status: 401,
    body: { error: 'unauthorized' },
  })
  expect(await api.get('/cloud-resources')).toMatchObject({
    status: 403,
    body: { error: 'forbidden', message: 'API key lacks required scope: read' },
  })
  const ctx = await home().newTenant()
  const admin = home().as(await home().key(ctx))
  expect(await admin.post('/cloud-resources', {})).toMatchObject({ status: 405 })
})

test('the total of the list is of its page, whatever comes meanwhile', async () => {
  const ctx = await home().newTenant()
  await anyResource(ctx)
  const { items, total } = await listResources(
    whileOthersWrite(ctx, () => anyResource(ctx)),
    { limit: 50, offset: 0 },
  )
  expect(total).toBe(items.length)
})
