import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agent, request, type Dispatcher } from 'undici'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from './support/app/test-app.ts'
import { believed, headersOf, inTenant } from './support/http/graphql-client.ts'
import { tlsCertificateFor } from './support/http/tls-certificates.ts'
import { needs } from './support/needs.ts'
import { freePort } from './support/network/free-port.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

/** The configuration that is documented, in a real nginx before the server. */

const CONFIG = readFileSync(join(import.meta.dirname, '../../deploy/nginx/rollcall.conf'), 'utf8')
const NAME = 'inventory.example.org'

type Send = (path: string, options?: Partial<Dispatcher.RequestOptions>) => Promise<Dispatcher.ResponseData>

/** Requests of a client at an address of its own. */
type ClientAt = (localAddress: string) => Send

async function behindNginx(): Promise<{ home: Awaited<ReturnType<typeof testApp>>; clientAt: ClientAt }> {
  const http = { rateLimitPerMinute: 100, trustedProxies: ['127.0.0.1/32'] }
  const home = await testApp({ contextOf: believed, http })
  const port = await freePort()
  const { ca, key, cert } = tlsCertificateFor(NAME, 2)
  await startNginx(port, { key, cert, upstream: await home.address() })
  const clientAt: ClientAt = (localAddress) => {
    const dispatcher = new Agent({ localAddress, connect: { ca, servername: NAME } })
    onTestFinished(() => dispatcher.destroy())
    return (path, options = {}) =>
      request(`https://127.0.0.1:${port}${path}`, {
        method: 'GET',
        ...options,
        dispatcher,
        headers: { host: NAME, ...(options.headers as Record<string, string>) },
      })
  }
  await vi.waitFor(() => clientAt('127.0.0.2')('/healthz'), { timeout: 20_000, interval: 50 })
  return { home, clientAt }
}

async function startNginx(port: number, of: { key: string; cert: string; upstream: string }): Promise<void> {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'logs'))
  writeFileSync(join(folder, 'key.pem'), of.key)
  writeFileSync(join(folder, 'cert.pem'), of.cert)
  const config = CONFIG.replace('443', `127.0.0.1:${port}`)
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${folder}/cert.pem;`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${folder}/key.pem;`)
    .replace('http://127.0.0.1:8080', of.upstream)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (it) => `${it}_temp_path ${folder}/${it};`,
  )
  // its workers read in the folder of the test
  writeFileSync(
    join(folder, 'nginx.conf'),
    `user root; daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}
    http { access_log off; ${paths.join(' ')}\n${config}\n}`,
  )
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: 'ignore',
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
  })
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  })
}

needs('nginx', 'openssl')('behind nginx as documented', () => {
  test('callers are counted by their own address, whatever they say it is', async () => {
    const { clientAt } = await behindNginx()
    const left = async (send: Send, headers: Record<string, string> = {}) =>
      (await send('/api/v1/assets', { headers })).headers['x-ratelimit-remaining']
    expect(await left(clientAt('127.0.0.2'))).toBe('99')
    expect(await left(clientAt('127.0.0.3'))).toBe('99')
    expect(await left(clientAt('127.0.0.2'), { 'x-forwarded-for': '203.0.113.9' })).toBe('98')
    expect((await clientAt('127.0.0.2')('/metrics')).statusCode).toBe(404)
  })

  test('keys are taken, files of 20 MB arrive, and news come as they happen', async () => {
    const { home, clientAt } = await behindNginx()
    const ctx = await home.newTenant()
    const send = clientAt('127.0.0.2')
    const key = { 'x-api-key': await home.key(ctx), 'content-type': 'application/json' }
    const added = await send('/api/v1/assets', { method: 'POST', headers: key, body: '{"name":"pc-1"}' })
    expect(added.statusCode).toBe(201)

    const content = Buffer.alloc(20_000_000, 'name\npc\n')
    const upload = await send(inTenant(`/files/imports?name=a.csv&bytes=${content.length}`), {
      method: 'POST',
      headers: { ...headersOf(ctx), 'content-type': 'application/octet-stream' },
      body: content,
    })
    expect(await upload.body.json()).toMatchObject({ received: content.length })

    const { cookie = '' } = headersOf(ctx)
    const stream = await send(inTenant('/live'), { headers: { cookie } })
    expect(stream.headers['content-type']).toBe('text/event-stream')
    let told = ''
    const isTold = async (total: number): Promise<void> => {
      for await (const chunk of stream.body.iterator({ destroyOnReturn: false }))
        if ((told += String(chunk)).includes(`"total":${total}`)) return
    }
    await isTold(1)
    await send('/api/v1/assets', { method: 'POST', headers: key, body: '{"name":"pc-2"}' })
    await isTold(2)
    expect(told).toContain('event: assets')
  })
})
