import { describe, expect, onTestFinished, test } from 'vitest'
import { rawReceiver, receiver } from '#test/support/http/webhook-receiver.ts'
import { openNet, type NetOptions } from './net.ts'
import type { Post } from './post.ts'

const LOOPBACK: NetOptions = { allowPrivate: ['127.0.0.0/8'] }

function open(options: NetOptions = LOOPBACK) {
  const net = openNet(options)
  onTestFinished(() => net.close())
  const post = (url: string, more: Partial<Post> = {}) =>
    net.post({
      url: new URL(url),
      headers: { 'content-type': 'text/plain', 'x-kept': 'yes' },
      body: Buffer.from('exact bytes \u0000 ü'),
      budgetMs: 5_000,
      mayReuse: true,
      ...more,
    })
  return { net, post }
}

describe('an ordinary receiver', () => {
  test('gets the exact bytes and headers, on a keep-alive connection', async () => {
    const { post } = open()
    const there = await receiver()
    expect(await post(there.url)).toEqual({ status: 200, phase: 'read', ms: expect.any(Number) })
    await post(there.url)
    expect(there.requests).toHaveLength(2)
    expect(there.requests[0]).toMatchObject({ method: 'POST', path: '/hook', headers: { 'x-kept': 'yes' } })
    expect(there.requests[0]?.body).toEqual(Buffer.from('exact bytes \u0000 ü'))
    expect(there.requests[0]?.headers.host).toBe(`127.0.0.1:${there.port}`)
  })

  test('reuses its connection', async () => {
    const { post } = open()
    const there = await rawReceiver((socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'))
    for (let i = 0; i < 5; i++) expect((await post(there.url)).status).toBe(204)
    expect(there.connections()).toBe(1)
  })

  test.each([199 + 1, 201, 204, 299, 300, 304, 400, 410, 418, 429, 500, 503, 599])(
    'answers %i',
    async (status) => {
      const { post } = open()
      const there = await receiver(() => status)
      expect((await post(there.url)).status).toBe(status)
    },
  )
})

describe('redirects', () => {
  test.each([301, 302, 307, 308])('%i keeps POST, body and headers', async (status) => {
    const { post } = open()
    const there = await receiver(({ path }) =>
      path === '/hook' ? (response) => response.writeHead(status, { location: '/new' }).end('moved') : 200,
    )
    expect((await post(there.url)).status).toBe(200)
    expect(there.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /hook', 'POST /new'])
    expect(there.requests[1]?.body).toEqual(there.requests[0]?.body)
    expect(there.requests[1]?.headers['x-kept']).toBe('yes')
  })

  test('303 becomes GET without a body', async () => {
    const { post } = open()
    const there = await receiver(({ path }) =>
      path === '/hook' ? (response) => response.writeHead(303, { location: '/seen' }).end() : 200,
    )
    expect((await post(there.url)).status).toBe(200)
    expect(there.requests[1]).toMatchObject({ method: 'GET', path: '/seen', body: Buffer.alloc(0) })
    expect(there.requests[1]?.headers['content-type']).toBeUndefined()
  })

  test('to another address are checked like the first', async () => {
    const { post } = open({ allowPrivate: ['127.0.0.1'] })
    const inside = await receiver()
    const there = await receiver(() => (response) => {
      response.writeHead(307, { location: `http://127.0.0.2:${inside.port}/` }).end()
    })
    expect(await post(there.url)).toEqual({ fault: 'address_refused', phase: 'dns', ms: expect.any(Number) })
    expect(inside.requests).toHaveLength(0)
  })

  test('are followed five times', async () => {
    const { post } = open()
    const there = await receiver(({ path }) => {
      const left = Number(path.slice(1)) || 0
      return left === 0 ? 200 : (response) => response.writeHead(302, { location: `/${left - 1}` }).end()
    })
    expect((await post(`http://127.0.0.1:${there.port}/5`)).status).toBe(200)
    expect((await post(`http://127.0.0.1:${there.port}/6`)).fault).toBe('too_many_redirects')
  })

  test('without a usable Location are refused', async () => {
    const { post } = open()
    const there = await receiver(() => 302)
    expect((await post(there.url)).fault).toBe('redirect_refused')
  })
})

describe('destinations that are not admitted', () => {
  test.each([
    ['http://127.0.0.1:1/', 'address_refused'],
    ['http://[::1]:1/', 'address_refused'],
    ['http://localhost:1/', 'address_refused'],
    ['http://any.localhost:1/', 'address_refused'],
    ['http://2130706433:1/', 'address_refused'],
    ['http://0x7f.1:1/', 'address_refused'],
    ['http://169.254.169.254/latest/meta-data/', 'address_refused'],
  ])('%s -> %s', async (url, fault) => {
    const { net, post } = open({})
    expect(await post(url)).toEqual({ fault, phase: 'dns', ms: expect.any(Number) })
    expect(await net.resolveAndCheck(new URL(url))).toMatchObject({ fault })
  })

  test('an excepted host resolves as the machine resolves it', async () => {
    const { post } = open({ allowPrivate: ['localhost'] })
    const there = await receiver()
    expect((await post(`http://localhost:${there.port}/`)).status).toBe(200)
    expect((await post(`http://127.0.0.1:${there.port}/`)).fault).toBe('address_refused')
  })

  test('no response excerpt of a private destination is stored', async () => {
    const { post } = open()
    const there = await receiver(() => (response) => response.end('internal'))
    expect(await post(there.url)).not.toHaveProperty('excerpt')
  })
})

const HEAD = 'HTTP/1.1 200 OK\r\n'
const LATE = { budgetMs: 300 }

describe('hostile receivers', () => {
  test.each([
    ['never answers', () => {}, 'timeout'],
    ['drips its header', drip(`${HEAD}x: `), 'timeout'],
    ['sends 1xx for ever', drip('HTTP/1.1 102 Processing\r\n\r\n'), 'timeout'],
    ['says 100 and nothing more', once('HTTP/1.1 100 Continue\r\n\r\n'), 'timeout'],
    ['sends 100 for ever', once('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000)), 'bad_response'],
    [
      'switches protocols',
      once('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      'bad_response',
    ],
    ['speaks another protocol', once('SSH-2.0-OpenSSH_9.6\r\n'), 'bad_response'],
    ['has endless headers', once(`${HEAD}x: ${'y'.repeat(20_000)}\r\n\r\n`), 'bad_response'],
    ['sends bare garbage', once('\u0000\u0001\u0002\u0003'), 'bad_response'],
    ['has a broken status', once('HTTP/1.1 999999 What\r\n\r\n'), 'bad_response'],
    ['hangs up', (socket) => socket.destroy(), 'connection_lost'],
    ['resets', (socket) => socket.resetAndDestroy(), 'connection_lost'],
    ['hangs up within its header', (socket) => socket.end(`${HEAD}x: `), 'connection_lost'],
  ] as const satisfies readonly (readonly [string, Behaviour, string])[])(
    'one that %s',
    async (_, behave, fault) => {
      const { post } = open()
      const there = await rawReceiver(behave)
      expect(await post(there.url, LATE)).toEqual({ fault, phase: 'wait', ms: expect.any(Number) })
    },
  )

  test.each([
    ['drips its body', (socket) => drip('x')(socket, `${HEAD}content-length: 1000000\r\n\r\n`)],
    ['has an endless body', endless],
    ['breaks its chunks', once(`${HEAD}transfer-encoding: chunked\r\n\r\nZZ\r\nx`)],
    ['hangs up within its body', (socket) => socket.end(`${HEAD}content-length: 10\r\n\r\nx`)],
    ['sends more than it announced', once(`${HEAD}content-length: 1\r\n\r\nxyz`)],
  ] as const satisfies readonly (readonly [string, Behaviour])[])(
    'one that %s has answered all the same, and is not waited for',
    async (_, behave) => {
      const { post } = open()
      const there = await rawReceiver(behave)
      expect((await post(there.url, { budgetMs: 600_000 })).status).toBe(200)
    },
  )

  test('a port where nobody listens', async () => {
    const { post } = open()
    const there = await rawReceiver(() => {})
    await there.close()
    expect((await post(there.url)).fault).toBe('connect_failed')
  })

  test('TLS spoken to a plain receiver', async () => {
    const { post } = open()
    const there = await rawReceiver((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect((await post(there.url.replace('http:', 'https:'))).fault).toBe('tls_failed')
  })
})

describe('interim answers before the final one', () => {
  const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
  const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'
  const FINAL = 'HTTP/1.1 200 OK\r\ncontent-length: 25\r\n\r\n'
  const BODY = CONTINUE

  test.each([
    ['100', CONTINUE],
    ['100 twice', CONTINUE + CONTINUE],
    ['100 with headers', 'HTTP/1.1 100 Continue\r\nx: y\r\nz: HTTP/1.1 100\r\n\r\n'],
    ['103 and 100', HINTS + CONTINUE],
    ['100 and 103', CONTINUE + HINTS],
    ['none', ''],
  ])('%s, in one piece and in bytes, on a connection that is kept', async (_, interim) => {
    const { post } = open()
    const whole = Buffer.from(`${interim}${FINAL}${BODY}`)
    const there = await rawReceiver((socket, _, chunkNumber) => {
      if (chunkNumber !== 1) return void socket.write(whole)
      socket.setNoDelay(true)
      let at = 0
      const drop = () => {
        if (at < whole.length) socket.write(whole.subarray(at, ++at), () => setImmediate(drop))
      }
      drop()
    })
    for (let i = 0; i < 3; i++) expect((await post(there.url)).status).toBe(200)
    expect(there.connections()).toBe(1)
  })
})

describe('a keep-alive connection that the receiver closes', () => {
  test.each(['resetAndDestroy', 'end'] as const)(
    'under the next request (%s) is a failed attempt, and those after it have their own',
    async (leave) => {
      const { post } = open()
      const there = await rawReceiver((socket, _, chunkNumber) => {
        if (chunkNumber > 0) return void socket[leave]()
        socket.write('HTTP/1.1 204 No Content\r\n\r\n')
      })
      expect((await post(there.url)).status).toBe(204)
      expect(await post(there.url)).toMatchObject({ fault: 'connection_lost', phase: 'wait' })
      expect(there.connections()).toBe(1)
      for (let i = 0; i < 3; i++) expect((await post(there.url)).status).toBe(204)
      expect(there.connections()).toBe(4)
    },
  )

  test('between requests is replaced', async () => {
    const { post } = open()
    const there = await rawReceiver((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))
    expect((await post(there.url)).status).toBe(204)
    await expect.poll(async () => (await post(there.url)).status).toBe(204)
  })

  test('serves nothing that is sent once only', async () => {
    const { post } = open()
    const there = await rawReceiver((socket, _, chunkNumber) => {
      if (chunkNumber > 0) return void socket.resetAndDestroy()
      socket.write('HTTP/1.1 204 No Content\r\n\r\n')
    })
    expect((await post(there.url)).status).toBe(204)
    expect((await post(there.url, { mayReuse: false })).status).toBe(204)
    expect(there.connections()).toBe(2)
  })

  test('after it began to answer is a failed attempt', async () => {
    const { post } = open()
    const there = await rawReceiver((socket, _, chunkNumber) => {
      if (chunkNumber > 0) return void socket.end('HTTP/1.1 2')
      socket.write('HTTP/1.1 204 No Content\r\n\r\n')
    })
    expect((await post(there.url)).status).toBe(204)
    expect((await post(there.url)).fault).toBe('connection_lost')
    expect(there.connections()).toBe(1)
  })

  test('fresh ones are not replaced', async () => {
    const { post } = open()
    const there = await rawReceiver((socket) => void socket.resetAndDestroy())
    expect((await post(there.url)).fault).toBe('connection_lost')
    expect(there.connections()).toBe(1)
  })
})

type Behaviour = Parameters<typeof rawReceiver>[0]

function once(text: string): Behaviour {
  return (socket) => void socket.write(text, 'latin1')
}

function drip(text: string): (socket: Parameters<Behaviour>[0], first?: string) => void {
  return (socket, first = '') => {
    if (first.startsWith('HTTP')) socket.write(first)
    const timer = setInterval(() => socket.write(text), 20)
    socket.on('close', () => clearInterval(timer))
  }
}

function endless(socket: Parameters<Behaviour>[0]): void {
  socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`)
  const more = () => {
    while (!socket.destroyed && socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`)) continue
  }
  socket.on('drain', more)
  more()
}
