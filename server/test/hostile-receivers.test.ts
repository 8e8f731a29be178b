import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createPlainServer, connect, type AddressInfo, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { constants, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { openNet } from '#platform/egress/net.ts'
import type { Post } from '#platform/egress/post.ts'
import { dnsServer } from './support/network/dns-server.ts'
import { needs } from './support/needs.ts'
import { tlsCertificateFor } from './support/http/tls-certificates.ts'
import { rawReceiver } from './support/http/webhook-receiver.ts'

const OK = 'HTTP/1.1 200 OK\r\n'
const CLOSE = 'connection: close\r\n'

type Behave = (socket: Socket) => void
type End = number | 'timeout' | 'bad_response' | 'connection_lost'

const say =
  (...parts: readonly (string | Buffer)[]): Behave =>
  (socket) => {
    for (const part of parts) socket.write(part)
  }
const sayAndEnd =
  (text: string): Behave =>
  (socket) =>
    void socket.end(text)

/** Says it again and again, with little pauses. */
const drip =
  (first: string, drop: string): Behave =>
  (socket) => {
    socket.write(first)
    const timer = setInterval(() => socket.write(drop), 10)
    socket.on('close', () => clearInterval(timer))
  }

/** Says it as fast as the connection takes it. */
const flood =
  (first: string, piece: string | Buffer): Behave =>
  (socket) => {
    socket.write(first)
    const more = () => {
      while (!socket.destroyed && socket.write(piece)) continue
    }
    socket.on('drain', more)
    more()
  }
const status = (code: number): Behave => say(`HTTP/1.1 ${code} Any\r\ncontent-length: 0\r\n\r\n`)
const chunk = 'x'.repeat(0x4000)
/** Many megabytes of zeros in a few kilobytes. */
const bomb = () => gzipSync(Buffer.alloc(64 * 1_048_576), { level: constants.Z_BEST_SPEED })

/** What a receiver does with a request, and how the attempt ends: its status, or why it has none. */
const behaviours: Readonly<Record<string, readonly [Behave, End]>> = {
  'never answers': [() => {}, 'timeout'],
  'closes at once': [(socket) => void socket.end(), 'connection_lost'],
  'resets at once': [(socket) => void socket.resetAndDestroy(), 'connection_lost'],
  'closes within the status line': [sayAndEnd('HTTP/1.1 2'), 'connection_lost'],
  'closes within a header': [sayAndEnd(`${OK}x: `), 'connection_lost'],
  'resets within a header': [
    (socket) => void socket.write(`${OK}x: `, () => setTimeout(() => socket.resetAndDestroy(), 20)),
    'connection_lost',
  ],
  'drips its status line': [drip('', 'H'), 'bad_response'],
  'drips a header': [drip(`${OK}x: `, 'y'), 'timeout'],
  'drips headers': [drip(OK, 'x: y\r\n'), 'timeout'],
  'has one header of 100 kB': [say(`${OK}x: ${'y'.repeat(100_000)}\r\n\r\n`), 'bad_response'],
  'has headers without end': [flood(OK, `x: ${'y'.repeat(1_000)}\r\n`), 'bad_response'],
  'has a thousand headers': [say(`${OK}${'x: y\r\n'.repeat(1_000)}\r\n`), 200],
  'has ten thousand headers': [say(`${OK}${'x: y\r\n'.repeat(10_000)}\r\n`), 'bad_response'],
  'says 102 for ever, slowly': [drip('', 'HTTP/1.1 102 Processing\r\n\r\n'), 'bad_response'],
  'says 102 for ever, fast': [flood('', 'HTTP/1.1 102 Processing\r\n\r\n'), 'bad_response'],
  'says 100 for ever, fast': [flood('', 'HTTP/1.1 100 Continue\r\n\r\n'), 'bad_response'],
  'says 100, then 204': [say('HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 204 None\r\n\r\n'), 204],
  'says 103, then 200': [say('HTTP/1.1 103 Hints\r\nlink: x\r\n\r\n', `${OK}content-length: 0\r\n\r\n`), 200],
  'switches protocols': [
    say('HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
    'bad_response',
  ],
  'speaks HTTP/2': [say(Buffer.from('000012040000000000000300000064', 'hex')), 'bad_response'],
  'speaks SSH': [say('SSH-2.0-OpenSSH_9.6\r\n'), 'bad_response'],
  'speaks SMTP': [say('220 mail.example ESMTP\r\n'), 'bad_response'],
  'sends NUL': [say(Buffer.alloc(64)), 'bad_response'],
  'has NUL in a header': [say(`${OK}x: a\u0000b\r\n\r\n`), 'bad_response'],
  'has a line feed alone': [say('HTTP/1.1 200 OK\nx: y\n\n'), 'bad_response'],
  'folds a header': [say(`${OK}x: a\r\n b\r\ncontent-length: 0\r\n\r\n`), 'bad_response'],
  'has two lengths': [say(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nxy`), 'bad_response'],
  'has a negative length': [say(`${OK}content-length: -1\r\n\r\n`), 'bad_response'],
  'has a length beyond all': [say(`${OK}content-length: 99999999999999999999\r\n\r\n`), 'bad_response'],
  'has a length and chunks': [
    say(`${OK}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    'bad_response',
  ],
  'has a status of two digits': [say('HTTP/1.1 20 OK\r\n\r\n'), 'bad_response'],
  'has a status of six digits': [say('HTTP/1.1 200200 OK\r\n\r\n'), 'bad_response'],
  'drips its body': [drip(`${OK}content-length: 1000000\r\n\r\n`, 'x'), 200],
  'never sends its body': [say(`${OK}content-length: 10\r\n\r\n`), 200],
  'has a body without end': [flood(`${OK}${CLOSE}\r\n`, chunk), 200],
  'has chunks without end': [flood(`${OK}transfer-encoding: chunked\r\n\r\n`, `4000\r\n${chunk}\r\n`), 200],
  'breaks its chunks': [say(`${OK}transfer-encoding: chunked\r\n\r\nZZ\r\nx`), 200],
  'has a chunk beyond all': [say(`${OK}transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\nx`), 200],
  'sends less than it said': [sayAndEnd(`${OK}content-length: 10\r\n\r\nx`), 200],
  'sends more than it said': [say(`${OK}content-length: 1\r\n\r\nxyz`), 200],
  'resets after its head': [
    (socket) =>
      void socket.write(`${OK}content-length: 9\r\n\r\n`, () =>
        setTimeout(() => socket.resetAndDestroy(), 20),
      ),
    200,
  ],
  'sends a gzip bomb': [
    (socket) => {
      socket.write(`${OK}content-encoding: gzip\r\n${CLOSE}\r\n`)
      socket.write(bomb())
    },
    200,
  ],
  'answers before it was asked': [status(200), 200],
  'fails with a body without end': [flood(`HTTP/1.1 500 No\r\n${CLOSE}\r\n`, chunk), 500],
  ...Object.fromEntries(
    [204, 205, 299, 300, 304, 400, 401, 404, 410, 418, 429, 500, 503, 599, 999].map(
      (code) => [`answers ${code}`, [status(code), code]] as const,
    ),
  ),
}

/** All that end by themselves do so long before this, on a busy machine too. */
const AMPLE_MS = 30_000

function open(options: Parameters<typeof openNet>[0] = {}) {
  const net = openNet({ allowPrivate: ['127.0.0.0/8'], ...options })
  onTestFinished(() => net.close())
  return (url: string, more: Partial<Post> = {}) =>
    net.post({
      url: new URL(url),
      headers: {},
      body: Buffer.from('{}'),
      budgetMs: AMPLE_MS,
      mayReuse: true,
      ...more,
    })
}

test('receivers have answered, or have not, whatever they do', async () => {
  expect(Object.keys(behaviours).length).toBeGreaterThanOrEqual(35)
  const post = open()
  const heapBefore = process.memoryUsage().arrayBuffers
  const played = await Promise.all(
    Object.entries(behaviours).map(async ([title, [behave, ends]]) => {
      const isEarly = title === 'answers before it was asked'
      const there = await rawReceiver(
        (socket, _, chunkNumber) => {
          if (chunkNumber === 0 && !isEarly) behave(socket)
        },
        isEarly ? behave : undefined,
      )
      const {
        status: code,
        fault,
        phase,
      } = await post(there.url, { budgetMs: ends === 'timeout' ? 400 : AMPLE_MS })
      return { title, ends: code ?? fault, expected: ends, phase }
    }),
  )
  expect(played.filter((it) => it.ends !== it.expected)).toEqual([])
  expect(new Set(played.map((it) => it.phase))).toEqual(new Set(['wait', 'read']))
  expect(process.memoryUsage().arrayBuffers - heapBefore).toBeLessThan(256 * 1_048_576)
})

test('one that closes its kept connection under the next request has failed once, and keeps none after', async () => {
  const post = open()
  const there = await rawReceiver((socket, _, chunkNumber) => {
    if (chunkNumber > 0) socket.resetAndDestroy()
    else socket.write('HTTP/1.1 204 None\r\n\r\n')
  })
  expect((await post(there.url)).status).toBe(204)
  expect((await post(there.url)).fault).toBe('connection_lost')
  for (let i = 0; i < 3; i++) expect((await post(there.url)).status).toBe(204)
  expect(there.connections()).toBe(4)
})

test('one that listens and does not accept', async () => {
  const script = new URL('support/network/stalled-listener.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const port = Number(String(line))
  child.kill('SIGSTOP')
  const post = open()
  expect(await post(`http://127.0.0.1:${port}/`, { budgetMs: 300 })).toMatchObject({ fault: 'timeout' })
  const fillers = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  onTestFinished(() => fillers.forEach((it) => it.destroy()))
  expect(await post(`http://127.0.0.1:${port}/`, { budgetMs: 300 })).toMatchObject({ fault: 'timeout' })
})

test.each([
  ['says nothing', () => {}, { fault: 'timeout', phase: 'tls' }],
  ['hangs up', (socket) => void socket.destroy(), { fault: 'tls_failed', phase: 'tls' }],
  ['speaks plain HTTP', say(`${OK}\r\n`), { fault: 'tls_failed', phase: 'tls' }],
  ['sends an alert', say(Buffer.from('15030300020228', 'hex')), { fault: 'tls_failed', phase: 'tls' }],
  ['sends half a record', say(Buffer.from('1603030100', 'hex')), { fault: 'timeout', phase: 'tls' }],
] as const satisfies readonly (readonly [string, Behave, object])[])(
  'one that %s where TLS begins',
  async (_, behave, expected) => {
    const there = await rawReceiver((socket, _, chunkNumber) => chunkNumber === 0 && behave(socket))
    expect(await open()(there.url.replace('http:', 'https:'), { budgetMs: 500 })).toMatchObject(expected)
  },
)

needs('openssl')('papers', () => {
  const HOST = 'receiver.example'

  async function ask(
    papers: { key: string; cert: string },
    ca: string | undefined,
    options: TlsOptions = {},
  ) {
    const server = createTlsServer({ ...papers, ...options }, (socket) => {
      socket.on('error', () => {})
      socket.on('data', () => socket.end(`${OK}content-length: 0\r\n\r\n`))
    })
    server.on('tlsClientError', () => {})
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const names = await dnsServer(() => ({ addresses: ['127.0.0.1'] }))
    const post = open({ dnsServers: [names.address], ...(ca !== undefined && { ca }) })
    return post(`https://${HOST}:${(server.address() as AddressInfo).port}/`)
  }

  test('that are right are accepted, over TLS 1.2 and 1.3', async () => {
    const papers = tlsCertificateFor(HOST, 9)
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const options = { minVersion: version, maxVersion: version }
      expect(await ask(papers, papers.ca, options)).toMatchObject({ status: 200 })
    }
  })

  test.each([
    ['for another host', () => tlsCertificateFor('other.example', 9), true],
    ['for its parent', () => tlsCertificateFor('example', 9), true],
    ['expired', () => tlsCertificateFor(HOST, -1), true],
    ['of an unknown authority', () => tlsCertificateFor(HOST, 9), false],
  ] as const)('%s are refused', async (_, make, isTrusted) => {
    const papers = make()
    expect(await ask(papers, isTrusted ? papers.ca : undefined)).toMatchObject({
      fault: 'tls_failed',
      phase: 'tls',
    })
  })

  test.each(['TLSv1', 'TLSv1.1'] as const)('over %s are refused', async (version) => {
    const papers = tlsCertificateFor(HOST, 9)
    const options = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' }
    expect(await ask(papers, papers.ca, options)).toMatchObject({ fault: 'tls_failed', phase: 'tls' })
  })
})

test('a port where nobody listens', async () => {
  const server = createPlainServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  expect(await open()(`http://127.0.0.1:${port}/`)).toMatchObject({
    fault: 'connect_failed',
    phase: 'connect',
  })
})
