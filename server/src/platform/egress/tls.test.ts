import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { dnsServer } from '#test/support/network/dns-server.ts'
import { needs } from '#test/support/needs.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { tlsCertificateFor, type TlsCertificate } from '#test/support/http/tls-certificates.ts'
import { openNet } from './net.ts'

const HOST = 'receiver.example'

async function post({ key, cert }: TlsCertificate, ca?: string, location?: string) {
  const server = createServer({ key, cert }, (_, response) =>
    location === undefined ? response.end('ok') : response.writeHead(308, { location }).end(),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const names = await dnsServer(() => ({ addresses: ['127.0.0.1'] }))
  const net = openNet({
    allowPrivate: ['127.0.0.1'],
    dnsServers: [names.address],
    ...(ca !== undefined && { ca }),
  })
  onTestFinished(async () => {
    await net.close()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return net.post({
    url: new URL(`https://${HOST}:${port}/`),
    headers: { 'x-kept': 'yes' },
    originHeaders: { authorization: 'Bearer b' },
    body: Buffer.from('x'),
    budgetMs: 5_000,
  })
}

needs('openssl')('TLS to a pinned address', () => {
  test('is checked against the host name', async () => {
    const certificate = tlsCertificateFor(HOST, 9)
    expect(await post(certificate, certificate.ca)).toMatchObject({ status: 200 })
  })

  test('leads to plain HTTP when the receiver says so, without the headers meant for it', async () => {
    const certificate = tlsCertificateFor(HOST, 9)
    const plain = await receiver()
    const answer = await post(certificate, certificate.ca, plain.url)
    expect(answer).toMatchObject({ status: 200 })
    expect(plain.requests).toMatchObject([{ method: 'POST', headers: { 'x-kept': 'yes' } }])
    expect(plain.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  test('fails for an authority that nobody trusts', async () => {
    expect(await post(tlsCertificateFor(HOST, 9))).toMatchObject({ fault: 'tls_failed' })
  })

  test('fails for the certificate of another host', async () => {
    const certificate = tlsCertificateFor('other.example', 9)
    expect(await post(certificate, certificate.ca)).toMatchObject({ fault: 'tls_failed' })
  })

  test('fails for an expired certificate', async () => {
    const certificate = tlsCertificateFor(HOST, -1)
    expect(await post(certificate, certificate.ca)).toMatchObject({ fault: 'tls_failed' })
  })
})
