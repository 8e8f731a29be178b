import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { openNet, type Net, type NetOptions } from './net.ts'

const open = (options: NetOptions = { allowPrivate: ['127.0.0.0/8'] }): Net => {
  const net = openNet(options)
  onTestFinished(() => net.close())
  return net
}

async function serverOf(answer: RequestListener): Promise<URL> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

const plain = { headers: {} }

test('a body of any size comes as it is read', async () => {
  const url = await serverOf((request, response) => {
    response.setHeader(
      'ETag',
      `"${String(request.headers['x-a'])} ${String(request.headers['accept-encoding'])}"`,
    )
    response.write(Buffer.alloc(3_000_000))
    response.end('end')
  })
  const answer = await open().download(url, { headers: { 'x-a': 'b' } })
  expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"b identity"'])
  const body = await buffer(answer.body)
  expect([body.length, body.subarray(-3).toString()]).toEqual([3_000_003, 'end'])
})

test('a reader that stops early closes the connection', async () => {
  let closed: () => void = () => {}
  const isClosed = new Promise<void>((resolve) => (closed = resolve))
  const url = await serverOf((_, response) => {
    response.on('close', () => closed())
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    }
    response.on('drain', more)
    more()
  })
  const { body } = await open().download(url, plain)
  for await (const chunk of body) if (chunk.length > 0) break
  await expect(isClosed).resolves.toBeUndefined()
})

test('redirects are followed, keys only to the same origin', async () => {
  const seen: unknown[] = []
  const other = await serverOf((request, response) => {
    seen.push(request.headers['apikey'], request.headers['x-a'])
    response.end('there')
  })
  const url = await serverOf((request, response) => {
    const location = request.url === '/' ? '/next' : other.href
    seen.push(request.headers['apikey'])
    response.writeHead(302, { location }).end()
  })
  const answer = await open().download(url, { headers: { apiKey: 'secret', 'x-a': 'b' } })
  expect((await buffer(answer.body)).toString()).toBe('there')
  expect(seen).toEqual(['secret', 'secret', undefined, 'b'])
})

test('a redirect to where nobody may go ends there, and one in a circle too', async () => {
  const away = await serverOf((_, response) =>
    response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
  )
  await expect(open().download(away, plain)).rejects.toThrow('address_refused')
  const circle = await serverOf((_, response) => response.writeHead(302, { location: '/' }).end())
  await expect(open().download(circle, plain)).rejects.toThrow('too_many_redirects')
  const odd = await serverOf((_, response) =>
    response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  )
  await expect(open().download(odd, plain)).rejects.toThrow('redirect_refused')
})

test.each(['http://127.0.0.1:1/', 'http://localhost:1/', 'http://169.254.169.254/', 'http://[::1]:1/'])(
  '%s is not reached unless it is admitted',
  async (url) => {
    await expect(open({}).download(new URL(url), plain)).rejects.toThrow('address_refused')
  },
)

test('an address that nobody may reach is not asked of a proxy either', async () => {
  const net = open({ proxy: 'http://127.0.0.1:1' })
  await expect(net.download(new URL('http://169.254.169.254/'), plain)).rejects.toThrow('address_refused')
})

test('a proxy is asked when there is one', async () => {
  const asked: string[] = []
  const proxy = await serverOf((request, response) => {
    asked.push(String(request.url))
    response.end('by proxy')
  })
  const server = open({ proxy: proxy.href, allowPrivate: ['127.0.0.0/8'] })
  const answer = await server.download(new URL('http://feeds.example.test/a'), plain)
  expect((await buffer(answer.body)).toString()).toBe('by proxy')
  expect(asked).toHaveLength(1)
})
