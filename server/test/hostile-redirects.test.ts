import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openNet } from '#platform/egress/net.ts'
import { dnsServer } from './support/network/dns-server.ts'
import { receiver, type Received } from './support/http/webhook-receiver.ts'

/** Two origins that are admitted, and the same port of an address that is not. */
const HERE = 'here.example'
const THERE = 'there.example'
const INSIDE = '127.0.0.2'

const STATUSES = [301, 302, 303, 307, 308]

type End =
  | number
  | 'address_refused'
  | 'redirect_refused'
  | 'too_many_redirects'
  | 'host_not_found'
  | 'bad_response'

interface Kind {
  /** One Location header, several, or none. */
  readonly location: (port: number) => string | readonly string[] | undefined
  readonly ends: End
  /** Where the last request must have arrived, when it arrives at all. */
  readonly at?: string
}

const refused = (location: string | readonly string[] | undefined): Kind => ({
  location: () => location,
  ends: 'redirect_refused',
})
const inward = (location: (port: number) => string): Kind => ({ location, ends: 'address_refused' })

const kinds: Readonly<Record<string, Kind>> = {
  'another origin': { location: (port) => `http://${THERE}:${port}/done`, ends: 200, at: `${THERE}/done` },
  'a path': { location: () => '/done', ends: 200, at: `${HERE}/done` },
  'a relative path': { location: () => 'done', ends: 200, at: `${HERE}/done` },
  'a path upwards': { location: () => '../../../done', ends: 200, at: `${HERE}/done` },
  'the scheme left out': { location: (port) => `//${THERE}:${port}/done`, ends: 200, at: `${THERE}/done` },
  'backslashes for slashes': {
    location: (port) => `\\\\${THERE}:${port}\\done`,
    ends: 200,
    at: `${THERE}/done`,
  },
  'a fragment': { location: () => '/done#part', ends: 200, at: `${HERE}/done` },
  '8 kB': { location: () => `/done?${'x'.repeat(8_192)}`, ends: 200, at: `${HERE}/done` },
  '20 kB': { location: () => `/done?${'x'.repeat(20_000)}`, ends: 'bad_response' },
  'five hops': { location: () => '/hops/4', ends: 200, at: `${HERE}/hops/0` },
  'six hops': { location: () => '/hops/5', ends: 'too_many_redirects' },
  itself: { location: () => '/hook', ends: 'too_many_redirects' },
  'the other and back, for ever': {
    location: (port) => `http://${THERE}:${port}/back`,
    ends: 'too_many_redirects',
  },
  'one inside': inward((port) => `http://${INSIDE}:${port}/`),
  'one inside, decimal': inward((port) => `http://2130706434:${port}/`),
  'one inside, octal': inward((port) => `http://0177.0.0.02:${port}/`),
  'one inside, hexadecimal': inward((port) => `http://0x7f000002:${port}/`),
  'one inside, short': inward((port) => `http://127.2:${port}/`),
  'one inside, mapped': inward((port) => `http://[::ffff:${INSIDE}]:${port}/`),
  'one inside, by NAT64': inward((port) => `http://[64:ff9b::${INSIDE}]:${port}/`),
  'one inside, in letters that no header may have': refused('http://１２７.0.0.2/'),
  'one inside, percent-encoded': inward((port) => `http://%31%32%37.0.0.2:${port}/`),
  'one inside, by name': inward((port) => `http://inside.example:${port}/`),
  'one inside, the scheme left out': inward((port) => `//${INSIDE}:${port}/`),
  'loopback over IPv6': inward((port) => `http://[::1]:${port}/`),
  'private use': inward(() => 'http://10.0.0.1/'),
  metadata: inward(() => 'http://169.254.169.254/latest/meta-data/'),
  'metadata over IPv6': inward(() => 'http://[fd00:ec2::254]/latest/meta-data/'),
  'no such name': { location: () => 'http://nowhere.example/', ends: 'host_not_found' },
  'a user name': refused(`http://user@${THERE}/`),
  'a password': refused(`http://:secret@${THERE}/`),
  'javascript:': refused('javascript:alert(1)'),
  'file:': refused('file:///etc/passwd'),
  'data:': refused('data:text/plain,x'),
  'ftp:': refused(`ftp://${THERE}/`),
  'gopher:': refused(`gopher://${THERE}/`),
  'port 0': refused(`http://${THERE}:0/`),
  'no such port': refused(`http://${THERE}:99999/`),
  'half an address': refused('http://[::1/'),
  'no host': refused('http://'),
  'an empty text': refused(''),
  nothing: refused(undefined),
  'two at once': refused(['/done', '/hook']),
  'the same twice': refused(['/done', '/done']),
}

const isRedirect = (path: string): boolean =>
  path === '/hook' || path.startsWith('/hops/') || path === '/back'

async function scene() {
  let intruders = 0
  const there = await receiver((request) => (response) => {
    const [, path = '', kind = '', status = ''] =
      /^(\/[^?]*)(?:\?kind=([^&]*)&status=(\d+))?/.exec(request.path) ?? []
    const left = Number(/^\/hops\/(\d+)$/.exec(path)?.[1] ?? 0)
    if (left > 0) return void response.writeHead(307, { location: `/hops/${left - 1}` }).end()
    if (path === '/back') {
      return void response.writeHead(307, { location: `http://${HERE}:${there.port}/forth` }).end()
    }
    if (path === '/forth')
      return void response.writeHead(307, { location: `http://${THERE}:${there.port}/back` }).end()
    if (path !== '/hook') return void response.end()
    const location = kinds[decodeURIComponent(kind)]?.location(there.port)
    response.statusCode = Number(status) || 307
    if (location === '/hook') response.setHeader('location', request.path)
    else if (typeof location === 'string')
      response.setHeader('location', Buffer.from(location).toString('latin1'))
    else if (location) response.setHeader('location', location)
    response.end('moved')
  })
  const trap = createServer((socket) => {
    intruders += 1
    socket.destroy()
  })
  trap.listen(there.port, INSIDE)
  await once(trap, 'listening')
  const names = await dnsServer((name) => {
    if (name === 'inside.example') return { addresses: [INSIDE] }
    return name === HERE || name === THERE ? { addresses: ['127.0.0.1'] } : { code: 3 }
  })
  const net = openNet({ allowPrivate: ['127.0.0.1'], dnsServers: [names.address] })
  onTestFinished(async () => {
    await net.close()
    trap.close()
  })
  const post = (kind: string, status: number) =>
    net.post({
      url: new URL(`http://${HERE}:${there.port}/hook?kind=${encodeURIComponent(kind)}&status=${status}`),
      headers: { 'content-type': 'application/json', 'x-service-signature': 'f'.repeat(64) },
      originHeaders: { authorization: 'Bearer of this origin' },
      body: Buffer.from('{"event":true}'),
      budgetMs: 20_000,
    })
  return { there, intruders: () => intruders, post }
}

const cases = Object.keys(kinds).flatMap((kind) => STATUSES.map((status) => ({ kind, status })))

test('redirects are followed to admitted addresses alone, with the same POST, five times at most', async () => {
  expect(cases.length).toBeGreaterThanOrEqual(40)
  const { there, intruders, post } = await scene()
  const wrong: unknown[] = []
  for (const { kind, status } of cases) {
    const seenBefore = there.requests.length
    const answer = await post(kind, status)
    const { ends = 0, at } = kinds[kind] ?? {}
    const seen = there.requests.slice(seenBefore)
    const complaints = [
      (answer.status ?? answer.fault) === ends ? '' : `ended with ${answer.status ?? answer.fault}`,
      at === undefined || placeOf(seen.at(-1)) === at ? '' : `arrived at ${placeOf(seen.at(-1))}`,
      ...seen.slice(1).map((request) => mistakeIn(request, status === 303)),
    ].filter((it) => it !== '')
    if (complaints.length > 0) wrong.push({ kind, status, complaints })
  }
  expect(wrong).toEqual([])
  expect(intruders()).toBe(0)
})

const placeOf = (request: Received | undefined): string =>
  `${request?.headers.host?.split(':')[0]}${request?.path.split('?')[0]}`

/** After a redirect: the same message; the headers of the first origin only there, and not when it came from away. */
function mistakeIn({ method, body, headers, path }: Received, isGet: boolean): string {
  if (method !== (isGet ? 'GET' : 'POST')) return `sent with ${method}`
  if (String(body) !== (isGet ? '' : '{"event":true}')) return 'sent another body'
  if (headers['x-service-signature'] === undefined) return 'sent without a signature'
  const isAway = headers.host?.startsWith(HERE) !== true || path === '/forth'
  return (headers.authorization === undefined) === isAway ? '' : 'credentials in the wrong place'
}

test.each([300, 304, 305, 306, 399])('%i is a failure, not a way on', async (status) => {
  const { there, post } = await scene()
  expect(await post('a path', status)).toMatchObject({ status })
  expect(there.requests.filter((it) => !isRedirect(it.path.split('?')[0] ?? ''))).toHaveLength(0)
})
