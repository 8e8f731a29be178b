import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { inMemoryAccess } from '#test/support/app/in-memory-credentials.ts'
import { needs } from '#test/support/needs.ts'
import { tlsCertificateFor } from '#test/support/http/tls-certificates.ts'
import { hostCheckFor } from '../host-key-check.ts'
import { openHttps } from './https-client.ts'

/** Why a question fails. */
async function failureAt(port: number, patienceMs = 20_000): Promise<string> {
  const https = openHttps(
    { address: '127.0.0.1', host: 'mail.example.test', port },
    { access: hostCheckFor(inMemoryAccess(), { id: 'any' }), signal: new AbortController().signal },
    { answerMs: patienceMs, connectMs: patienceMs, bodyBytesMax: 1024 },
  )
  const answer = https.ask({ method: 'GET', path: '/' })
  const failure = await answer.then(
    () => 'none',
    (error: unknown) => String(error),
  )
  await https.close()
  return failure
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test('a port where nothing listens', async () => {
  const server = createServer()
  const port = await portOf(server)
  await new Promise((resolve) => server.close(resolve))
  expect(await failureAt(port)).toMatch(
    /^ProbeFailure: mail.example.test \(127.0.0.1:\d+\) refuses connections/,
  )
})

test('a service without TLS', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).end('220 mail\r\n'))
  expect(await failureAt(await portOf(server))).toMatch('does not answer in TLS')
})

test('a service that accepts and is silent', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined))
  expect(await failureAt(await portOf(server), 1_000)).toMatch('did not finish a TLS handshake within 1 s')
})

needs('openssl')('a service with TLS', () => {
  test('but without HTTP', async () => {
    const { key, cert } = tlsCertificateFor('mail.example.test', 9)
    const server = createTlsServer({ key, cert }, (socket) =>
      socket.on('error', () => undefined).end('220 mail\r\n'),
    )
    expect(await failureAt(await portOf(server))).toMatch('does not answer in HTTP')
  })
})
