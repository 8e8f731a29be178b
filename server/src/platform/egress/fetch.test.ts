import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openNet, type Net } from './net.ts'

const open = (allowPrivate: readonly string[] = ['127.0.0.0/8']): Net => {
  const net = openNet({ allowPrivate })
  onTestFinished(() => net.close())
  return net
}

async function serverOf(answer: RequestListener): Promise<URL> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

const get = { method: 'GET', headers: {} }

test('method, headers and body go out; status, headers and body come back', async () => {
  const url = await serverOf((request, response) => {
    response.setHeader('x-seen', `${request.method} ${String(request.headers['x-a'])}`)
    response.statusCode = 201
    request.pipe(response)
  })
  const answer = await open().fetch(url, { method: 'POST', headers: { 'x-a': 'b' }, body: 'héllo' })
  expect([answer.status, answer.headers.get('x-seen'), await answer.text()]).toEqual([201, 'POST b', 'héllo'])
})

test('a redirect is an answer like any other', async () => {
  const url = await serverOf((_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end())
  expect((await open().fetch(url, get)).status).toBe(302)
})

test('an answer without a body is one', async () => {
  const url = await serverOf((_, response) => response.writeHead(204).end())
  expect((await open().fetch(url, get)).status).toBe(204)
})

test('an answer of more than a mebibyte is none', async () => {
  const url = await serverOf((_, response) => response.end(Buffer.alloc(1_048_577)))
  await expect(open().fetch(url, get)).rejects.toThrow('terminated')
})

test.each([
  'http://127.0.0.1:1/',
  'http://localhost:1/',
  'http://169.254.169.254/',
  'http://[::1]:1/',
  'http://10.1.2.3/',
])('%s is not reached unless it is admitted', async (url) => {
  await expect(open([]).fetch(new URL(url), get)).rejects.toThrow('address_refused')
})
