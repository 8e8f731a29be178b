import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { requestOver } from './http-request.ts'

const sources = join(import.meta.dirname, '..')

test('what a report needs loads neither fetch nor WebSocket, which cost more processor time than Node itself', () => {
  const script = `
    await import(${JSON.stringify(join(sources, 'main.ts'))})
    await import(${JSON.stringify(join(sources, 'collecting/linux/linux.ts'))})
    const { requestOver } = await import(${JSON.stringify(join(sources, 'wire/http-request.ts'))})
    requestOver('http:'); requestOver('https:')
    process.stdout.write(JSON.stringify(process.moduleLoadList))`
  const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(loaded).toContain('NativeModule _http_client')
  expect(loaded).not.toContain('undici')
})

test('a request is sent as with an import', async () => {
  const server = createServer((_, answer) => answer.end('yes'))
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const status = await new Promise((resolve, reject) => {
    const question = requestOver('http:')({ host: '127.0.0.1', port }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    question.on('error', reject)
    question.end()
  })
  expect(status).toBe(200)
})
