import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { RollcallClient } from '../../clients/typescript/src/client.ts'
import { isGenuine } from '../../clients/typescript/src/webhook-signature.ts'
import { createAsset, createFindings } from '../src/features/vulnerabilities/findings.fixture.ts'
import { submit } from '../src/features/sources/sources.ts'
import { sign } from '../src/features/webhooks/delivery/signature.ts'
import type { Ctx } from '../src/platform/context.ts'
import { sharedTestApp } from './support/app/test-app.ts'
import { receiver, type Reply } from './support/http/webhook-receiver.ts'

const run = promisify(execFile)
const CLIENTS = join(import.meta.dirname, '../../clients')
const ASSETS = 620

const home = sharedTestApp()
let ctx: Ctx
let apiKey: string
let address: string
beforeAll(async () => {
  ctx = await home().newTenant()
  await createFindings(ctx, [{ cveId: 'CVE-2026-0001', score: 9.8 }])
  await createFindings(ctx, [
    { cveId: 'CVE-2026-0001', score: 9.8 },
    { cveId: 'CVE-2026-0002', score: 9.1 },
    { cveId: 'CVE-2026-0003', score: 4 },
  ])
  await createAsset(ctx, 'sound')
  apiKey = await home().key(ctx, ['read', 'write'])
  address = await home().address()
})

const python = async (code: string, input: unknown = {}): Promise<unknown> => {
  const script = `import json, sys\nsys.path.insert(0, ${JSON.stringify(join(CLIENTS, 'python'))})\ngiven = json.loads(sys.argv[1])\n${code}`
  const { stdout } = await run('python3', ['-c', script, JSON.stringify(input)])
  return JSON.parse(stdout)
}

const listed = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Refuses as often as there are answers, then gives one asset. */
const answersIn = (answers: readonly [status: number, retryAfter: string][]) => {
  let at = 0
  return (): Reply => {
    const [status, retryAfter] = answers[at++] ?? [200, '']
    return (response: ServerResponse) => {
      response.setHeader('content-type', 'application/json')
      if (retryAfter) response.setHeader('retry-after', retryAfter)
      response.writeHead(status).end(JSON.stringify({ data: [], error: 'refused', message: 'Later.' }))
    }
  }
}

describe('examples', () => {
  const env = () => ({ ...process.env, ROLLCALL_ADDRESS: address, ROLLCALL_KEY: apiKey })
  test.each([
    [process.execPath, 'typescript/examples/exposed-assets.ts'],
    ['python3', 'python/examples/exposed_assets.py'],
  ])('%s %s', async (program, file) => {
    const { stdout } = await run(program, [join(CLIENTS, file)], { env: env() })
    expect(stdout).toMatch(/^host-\w+\t2\nhost-\w+\t1\n$/)
    expect(readFileSync(join(CLIENTS, file), 'utf8').split('\n').length).toBeLessThanOrEqual(23)
  })
})

describe('lists are read to their end', () => {
  beforeAll(async () => {
    const seenAt = ctx.now()
    const many = Array.from({ length: ASSETS }, (_, at) => ({
      sourceKey: `many-${at}`,
      name: `many-${at}`,
      identifiers: [],
      seenAt,
    }))
    await submit(ctx, { kind: 'csv', name: 'many' }, many)
  })

  test('by TypeScript', async () => {
    const client = new RollcallClient({ address, apiKey })
    const all = await listed(client.all('/assets'))
    expect(new Set(all.map((it) => it.id)).size).toBe(ASSETS + 3)
    const small = await listed(client.all('/assets', { query: { limit: 1, where: 'name : host' } }))
    expect(small).toHaveLength(2)
  })

  test('by Python', async () => {
    const count = await python(
      `from rollcall_client import Client
client = Client(given["address"], given["apiKey"])
print(json.dumps([len({it["id"] for it in client.all("/assets")}), len(list(client.all("/assets", limit=1, where="name : host")))]))`,
      { address, apiKey },
    )
    expect(count).toEqual([ASSETS + 3, 2])
  })
})

describe('a refusal', () => {
  test('is an error with status, code and what to do', async () => {
    const client = new RollcallClient({ address, apiKey })
    const refused = client.get('/assets', { query: { where: 'nonsense = 1' } })
    await expect(refused).rejects.toMatchObject({
      status: 400,
      code: 'invalid_request',
      message: expect.stringContaining('no field nonsense') as unknown,
    })
    const told = await python(
      `from rollcall_client import ApiError, Client
try:
    Client(given["address"], given["apiKey"]).get("/assets", where="nonsense = 1")
except ApiError as error:
    print(json.dumps([error.status, error.code, str(error)[:6]]))`,
      { address, apiKey },
    )
    expect(told).toEqual([400, 'invalid_request', 'where:'])
  })
})

describe.each([
  [
    '429 with seconds, then 503',
    'get',
    [
      [429, '7'],
      [503, '2'],
    ],
    [7, 2],
    3,
  ],
  ['429 to a POST', 'post', [[429, '3']], [3]],
  ['503 to a POST, which may have been taken', 'post', [[503, '2']], []],
  ['503 to a POST with a key', 'keyed', [[503, '2']], [2]],
  ['more than two minutes', 'get', [[429, '86400']], [120]],
  ['a word that is no time', 'get', [[429, 'soon']], [1]],
  ['a day that has passed', 'get', [[429, 'Thu, 01 Jan 2026 00:00:00 GMT']], [0]],
  ['five refusals', 'get', Array.from({ length: 9 }, () => [429, '1']), [1, 1, 1, 1]],
] as [string, string, [number, string][], number[]][])('after %s', (_, call, answers, waits) => {
  test('TypeScript waits as it is told', async () => {
    const server = await receiver(answersIn(answers))
    const waited: number[] = []
    const wait = (ms: number): Promise<void> => Promise.resolve(void waited.push(ms / 1_000))
    const client = new RollcallClient({ address: server.url, apiKey: 'k', wait })
    const body = { name: 'x' }
    const sent =
      call === 'get'
        ? client.get('/assets')
        : client.post('/assets', call === 'keyed' ? { body, idempotencyKey: 'one' } : { body })
    await sent.catch(() => undefined)
    expect(waited).toEqual(waits)
    const keys = server.requests.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual([undefined, ...waits].map(() => (call === 'keyed' ? 'one' : undefined)))
  })

  test('Python does too', async () => {
    const server = await receiver(answersIn(answers))
    const waited = await python(
      `from rollcall_client import ApiError, Client
waited = []
client = Client(given["address"], "k", wait=waited.append)
try:
    if given["call"] == "get": client.get("/assets")
    else: client.post("/assets", {"name": "x"}, idempotency_key="one" if given["call"] == "keyed" else None)
except ApiError: pass
print(json.dumps(waited))`,
      { address: server.url, call },
    )
    expect(waited).toEqual(waits)
    expect(server.requests).toHaveLength(waits.length + 1)
  })
})

test('redirects in a circle end', async () => {
  const server = await receiver(({ path }) => (response) => {
    response.writeHead(302, { location: path }).end()
  })
  const client = new RollcallClient({ address: new URL(server.url).origin, apiKey: 'k' })
  await expect(client.get('/assets')).rejects.toMatchObject({ status: 302, code: 'redirected' })
  expect(server.requests).toHaveLength(6)
})

describe.each([
  { method: 'get', where: 'other', seen: 1, status: 302 },
  { method: 'get', where: 'same', seen: 2, status: 200 },
  { method: 'post', where: 'same', seen: 1, status: 307 },
  { method: 'post', where: 'other', seen: 1, status: 307 },
] as const)('a $method sent elsewhere, to $where', ({ method, where, seen, status }) => {
  const servers = async () => {
    const other = await receiver()
    const code = method === 'get' ? 302 : 307
    const server = await receiver(({ path }) => (response) => {
      if (path === '/moved') {
        response.setHeader('content-type', 'application/json')
        response.end('{"data":[]}')
        return
      }
      const to = { other: `${other.url}/moved`, same: '/moved' }[where]
      response.writeHead(code, { location: to }).end()
    })
    return { server, other, address: new URL(server.url).origin }
  }

  test('TypeScript shows the key to nobody else', async () => {
    const { server, other, address: at } = await servers()
    const client = new RollcallClient({ address: at, apiKey: 'k' })
    const answer = method === 'get' ? client.get('/assets') : client.post('/assets', { body: { name: 'x' } })
    const outcome = await answer.then(() => 200).catch(({ status: told }: { status: number }) => told)
    expect(outcome).toBe(status)
    expect([server.requests.length, other.requests.length]).toEqual([seen, 0])
  })

  test('neither does Python', async () => {
    const { server, other, address: at } = await servers()
    const outcome = await python(
      `from rollcall_client import ApiError, Client
client = Client(given["address"], "k")
try:
    client.get("/assets") if given["method"] == "get" else client.post("/assets", {"name": "x"})
    print(200)
except ApiError as error:
    assert error.code == "redirected" and "the key is not shown" in str(error)
    print(error.status)`,
      { address: at, method },
    )
    expect(outcome).toBe(status)
    expect([server.requests.length, other.requests.length]).toEqual([seen, 0])
  })
})

test.each([
  ['as it was sent', {}, true],
  ['with another body', { body: '{"a":2}' }, false],
  ['with another secret', { secret: 'other' }, false],
  ['after six minutes', { age: 360_000 }, false],
  ['without a signature', { signature: '' }, false],
  ['with a signature that is no text of digits', { signature: 'é' }, false],
])('a delivery %s', async (_, change: Partial<Record<string, string | number>>, expected) => {
  const timestamp = new Date(Date.now() - Number(change.age ?? 0)).toISOString()
  const signature = change.signature ?? sign('secret', Buffer.from('{"a":1}'), timestamp)
  const headers = { 'x-service-timestamp': timestamp, 'x-service-signature': String(signature) }
  const body = String(change.body ?? '{"a":1}')
  const secret = String(change.secret ?? 'secret')
  expect(isGenuine({ headers, body: Buffer.from(body) }, secret)).toBe(expected)
  const told = await python(
    `from rollcall_client import is_genuine
print(json.dumps(is_genuine(given["headers"], given["body"].encode(), given["secret"])))`,
    { headers, body, secret },
  )
  expect(told).toBe(expected)
})
