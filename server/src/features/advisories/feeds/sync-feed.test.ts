import { createHash, randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { receiver, rawReceiver, type Received, type Reply } from '#test/support/http/webhook-receiver.ts'
import { changesSince, rulesFor } from '../advisories.ts'
import { listFeeds, requestFeedSync, setFeedAccess, setFeedEnabled, syncDueFeeds, syncFeed } from './feeds.ts'
import { zipOf } from '../loading/zip.fixture.ts'

const waitMs = [1, 1]
const tracker = (fixed: string) => ({
  openssh: {
    'CVE-2024-6387': {
      description: 'x',
      releases: { bookworm: { status: 'resolved', fixed_version: fixed, urgency: 'high' } },
    },
  },
})
const fixedIn = async (ctx: Ctx) =>
  (await rulesFor(ctx, [{ ecosystem: 'Debian:12', package: 'openssh' }])).map(
    (it) => it.rules[0]?.ranges[0]?.fixed,
  )

async function scene(feed: string, answer: (request: Received) => Reply | Promise<Reply>) {
  const { runtime, newTenant } = await testApp()
  const { url, requests } = await receiver(answer)
  const { system } = runtime
  await setFeedAccess(system, feed, { mirrorUrl: new URL('/', url).href })
  const sync = () => syncFeed(system, feed, { waitMs })
  const status = async () => (await listFeeds(system)).find((it) => it.name === feed)
  return { system, newTenant, requests, sync, status }
}

const send =
  (body: string | Buffer, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(200, { 'content-length': String(Buffer.byteLength(body)), ...headers }).end(body)

test('a file is asked for with what was known of it, and loaded when it is another', async () => {
  let version = '1'
  const { system, requests, sync, status } = await scene('debian', ({ headers }) => {
    if (headers['if-none-match'] === `"${version}"`) return 304
    return send(JSON.stringify(tracker(version)), { etag: `"${version}"` })
  })
  expect(await sync()).toMatchObject({ files: 1, records: 1, changed: 1 })
  expect(await sync()).toMatchObject({ files: 0, unchanged: 1 })
  version = '2'
  expect(await sync()).toMatchObject({ files: 1, changed: 1 })
  expect(await fixedIn(system)).toEqual(['2'])
  expect(requests.map((it) => it.headers['if-none-match'])).toEqual([undefined, '"1"', '"1"'])
  expect(await status()).toMatchObject({ records: 1, lastError: null, failures: 0, isRunning: false })
})

const good = JSON.stringify(tracker('9'))
test.each<[string, string | Buffer, string]>([
  ['cut off', good.slice(0, -30), 'the file ends'],
  ['broken gzip', Buffer.concat([gzipSync(good).subarray(0, 40), randomBytes(40)]), 'packing is broken'],
  ['gzip cut off', gzipSync(good).subarray(0, 60), 'packing is broken or cut off'],
  ['zip cut off', zipOf({ 'a.json': good }).subarray(0, 80), 'cut off'],
  [
    'zip without its directory',
    zipOf({ 'a.json': good, 'b.json': good }, { directory: 1 }),
    'has 2 files and lists 1',
  ],
  ['zip with another checksum', zipOf({ 'a.json': good }, { crc: 1 }), 'a.json: its checksum does not fit'],
  ['zip that lies about sizes', zipOf({ 'a.json': good }, { size: 5 }), 'a.json: the packing is broken'],
  ['zip bomb', zipOf({ 'a.json': Buffer.alloc(80_000_000, 0x20) }, { trailed: true }), 'has no'],
  ['xz', Buffer.from('fd377a585a000004', 'hex'), 'is packed with xz'],
  ['a page', '<html><body>Sign in</body></html>', 'is not JSON'],
  ['too deep', `{"openssh":${'{"a":'.repeat(70)}1${'}'.repeat(70)}}`, 'record 1 (openssh) is deeper than'],
  [
    'not UTF-8',
    Buffer.from([
      ...Buffer.from('{"openssh":{"CVE-2024-6387":{"description":"'),
      0xff,
      ...Buffer.from('"}}}'),
    ]),
    'record 1 (openssh) is not UTF-8',
  ],
  ['of another form', '{"openssh": 5}', 'openssh is not an object'],
])('a file that is %s leaves the old one in force, and the feed says why', async (_, body, why) => {
  let answer: Reply = send(JSON.stringify(tracker('1')))
  const { system, sync, status } = await scene('debian', () => answer)
  await sync()
  answer = send(body)
  await expect(sync()).rejects.toThrow(why)
  expect(await fixedIn(system)).toEqual(['1'])
  expect(await changesSince(system, 1)).toMatchObject({ generation: 1 })
  expect(await status()).toMatchObject({
    failures: 1,
    isRunning: false,
    lastError: expect.stringContaining(why),
  })
})

test('an endless body ends at the size of one record', async () => {
  const { sync } = await scene('debian', () => (response) => {
    response.writeHead(200).write('{"openssh":{"a":"')
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(1_048_576, 0x61)));
    }
    response.on('drain', more)
    more()
  })
  await expect(sync()).rejects.toThrow('record 1 (openssh) is larger than 67108864 bytes')
})

test('a body that breaks off goes on where it broke, of the same file alone', async () => {
  const body = JSON.stringify(tracker('1'.repeat(100_000)))
  let etag = '"a"'
  const { requests, sync } = await scene('debian', ({ headers }) => (response) => {
    const from = Number(/bytes=(\d+)-/.exec(String(headers['range']))?.[1] ?? 0)
    const rest = body.slice(from)
    const isSame = headers['if-range'] === etag
    response.writeHead(isSame ? 206 : 200, {
      etag,
      'content-length': String(isSame ? rest.length : body.length),
      ...(isSame && { 'content-range': `bytes ${from}-${body.length - 1}/${body.length}` }),
    })
    if (rest.length <= 40_000) response.end(rest)
    else response.write(rest.slice(0, 40_000), () => response.socket?.end())
  })
  expect(await sync()).toMatchObject({ records: 1, changed: 1 })
  expect(requests.length).toBeGreaterThan(1)
  expect(requests.slice(1).every((it) => it.headers['if-range'] === '"a"')).toBe(true)
  const before = requests.length
  const failing = sync()
  while (requests.length === before) await new Promise(setImmediate)
  etag = '"b"'
  await expect(failing).rejects.toThrow('the rest of the same file cannot be had')
})

test('what passes is tried again, when the origin says; what does not is not', async () => {
  const answers: Reply[] = [
    503,
    (response) => void response.writeHead(429, { 'retry-after': '0' }).end(),
    send(JSON.stringify(tracker('1'))),
    403,
  ]
  const { requests, sync } = await scene('debian', () => answers.shift() ?? 500)
  expect(await sync()).toMatchObject({ changed: 1 })
  await expect(sync()).rejects.toThrow('answered 403')
  expect(requests).toHaveLength(4)
})

test('an origin that closes without a word, or speaks no HTTP, is named', async () => {
  const { url } = await rawReceiver((socket) => socket.destroy())
  const { system } = (await testApp()).runtime
  await setFeedAccess(system, 'kev', { mirrorUrl: url })
  await expect(syncFeed(system, 'kev', { waitMs: [] })).rejects.toThrow(
    /kev: http:\/\/127\.0\.0\.1:\d+\/hook\/known/,
  )
})

test('an address that is not public is not reached, not by a redirect either', async () => {
  const { sync, requests } = await scene(
    'kev',
    () => (response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  )
  await expect(sync()).rejects.toThrow('address_refused')
  expect(requests).toHaveLength(1)
})

test('NVD comes by years and then by changes, told by the checksums beside the files', async () => {
  const page = (id: string, version: string) =>
    JSON.stringify({
      vulnerabilities: [
        {
          cve: {
            id,
            configurations: [
              {
                nodes: [
                  {
                    operator: 'OR',
                    cpeMatch: [
                      {
                        vulnerable: true,
                        criteria: 'cpe:2.3:a:v:p:*:*:*:*:*:*:*:*',
                        versionEndExcluding: version,
                      },
                    ],
                  },
                ],
              },
            ],
          },
        },
      ],
    })
  const files = new Map([
    ['2024', page('CVE-2024-0001', '1')],
    ['modified', page('CVE-2024-0001', '2')],
  ])
  let isLying = false
  const { system, requests, sync } = await scene('nvd', ({ path }) => {
    const [, part = '', kind] = /nvdcve-2\.0-(\w+)\.(meta|json\.gz)/.exec(path) ?? []
    const file = files.get(part) ?? '{"vulnerabilities":[]}'
    if (kind === 'json.gz') return files.has(part) ? send(gzipSync(file)) : 404
    const sum = createHash('sha256')
      .update(isLying ? 'x' : file)
      .digest('hex')
      .toUpperCase()
    return files.has(part) ? send(`lastModifiedDate:x\r\nsize:1\r\nsha256:${sum}\r\n`) : 404
  })
  await expect(sync()).rejects.toThrow('nvdcve-2.0-2002.json.gz: there is no such file')
  for (let year = 2002; year < 2040; year++)
    if (!files.has(String(year))) files.set(String(year), page(`CVE-${year}-9999`, '1'))
  await sync()
  const rules = await rulesFor(system, [{ ecosystem: 'cpe', package: 'a:v:p' }])
  expect(rules.find((it) => it.advisoryId === 'CVE-2024-0001')?.rules[0]?.ranges).toEqual([{ fixed: '2' }])
  const asked = requests.length
  expect(await sync()).toMatchObject({ files: 0 })
  expect(requests.slice(asked).map((it) => it.path)).toEqual(['/nvdcve-2.0-modified.meta'])
  isLying = true
  await expect(sync()).rejects.toThrow('the checksum does not fit')
})

test('OSV comes as archives and then record by record', async () => {
  const record = (id: string, fixed: string) =>
    JSON.stringify({
      id,
      affected: [
        {
          package: { ecosystem: 'PyPI', name: 'p' },
          ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
        },
      ],
    })
  let changes = '2024-01-01T00:00:00Z,A-1\n'
  const { system, requests, sync } = await scene('osv', ({ path }) => {
    if (path === '/PyPI/modified_id.csv') return send(changes)
    if (path === '/PyPI/A-2.json') return send(record('A-2', '2'))
    if (path.endsWith('all.zip'))
      return send(zipOf({ 'A-1.json': path.startsWith('/PyPI') ? record('A-1', '1') : record(path, '1') }))
    return 404
  })
  await sync()
  changes = `2024-02-01T00:00:00Z,A-2\n${changes}`
  const asked = requests.length
  await sync()
  expect(requests.slice(asked).map((it) => it.path)).toContain('/PyPI/A-2.json')
  expect(requests.slice(asked).map((it) => it.path)).not.toContain('/PyPI/all.zip')
  const found = await rulesFor(system, [{ ecosystem: 'PyPI', package: 'p' }])
  expect(found.map((it) => it.advisoryId)).toEqual(expect.arrayContaining(['A-1', 'A-2']))
})

test('releases that are not there are no fault, but all of them are', async () => {
  let isWrong = false
  const { sync } = await scene('alpine', ({ path }) => {
    const [, release] = /^\/(v3\.2[01])\/main\.json$/.exec(path) ?? []
    const secfixes = { '1-r0': ['CVE-2024-0001'] }
    const body = { distroversion: release, reponame: 'main', packages: [{ pkg: { name: 'x', secfixes } }] }
    return release && !isWrong ? send(JSON.stringify(body)) : 404
  })
  expect(await sync()).toMatchObject({ files: 2, records: 2 })
  isWrong = true
  await expect(sync()).rejects.toThrow('none of the files is there')
})

test('nothing is fetched before somebody turns a feed on; then it is when it is due', async () => {
  const { system, newTenant, requests, status } = await scene('debian', () =>
    send(JSON.stringify(tracker('1'))),
  )
  await syncDueFeeds(system, { waitMs })
  expect(requests).toHaveLength(0)
  await setFeedEnabled(await newTenant(), 'debian', true)
  await syncDueFeeds(system, { waitMs })
  await syncDueFeeds(system, { waitMs })
  expect(requests).toHaveLength(1)
  expect(await status()).toMatchObject({ isEnabled: true, ageSeconds: expect.any(Number), records: 1 })
})

test('where several tenants share the catalogue, only the owner of the machine decides about feeds', async () => {
  const { system, newTenant } = await scene('debian', () => 404)
  const mine = await newTenant()
  const me = { ...mine, actor: { kind: 'user' as const, id: 'somebody', may: () => true } }
  expect(await requestFeedSync(me, 'debian')).toMatchObject({ isRequested: true })
  expect(await setFeedEnabled(me, 'debian', true)).toMatchObject({ isEnabled: true })
  await newTenant()
  const refusal = { code: 'forbidden', message: expect.stringContaining('`rollcall feeds`') }
  await expect(setFeedEnabled(me, 'debian', false)).rejects.toMatchObject(refusal)
  await expect(requestFeedSync(me, 'kev')).rejects.toMatchObject(refusal)
  expect(await setFeedEnabled(system, 'debian', false)).toMatchObject({ isEnabled: false })
  expect((await listFeeds(me)).find(({ name }) => name === 'kev')).toMatchObject({ isRequested: false })
})

test('a feed that another process is at is left alone', async () => {
  const { sync } = await scene('debian', () => send(zstdCompressSync(JSON.stringify(tracker('1')))))
  const [first, second] = await Promise.allSettled([sync(), sync()])
  expect([first.status, second.status].toSorted()).toEqual(['fulfilled', 'rejected'])
})
