import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCertificate } from './certificate.ts'
import { sendTcpRequest } from './tcp-request.ts'
import { ftpGreeting, isFtpGreeting, isSshBanner, sshBanner } from './banner.ts'
import { httpParts, isTitled, readHttp } from './http.ts'
import { ippQuestion, readIpp } from './ipp.ts'
import { isSmbAnswer, readSmb, smbQuestion } from './smb.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

test('a banner of SSH stands behind a warning', () => {
  expect(sshBanner(bytes('Keep out!\r\nSSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n'))).toBe(
    'SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3',
  )
  expect(sshBanner(bytes('220 hello\r\n'))).toBeUndefined()
})

test('a greeting of FTP has several lines', () => {
  expect(ftpGreeting(bytes('220-FileZilla Server 1.7\r\n220 welcome\r\n'))).toBe(
    'FileZilla Server 1.7 welcome',
  )
  expect(ftpGreeting(bytes('530 no\r\n'))).toBeUndefined()
})

test('a page of HTTP: server, title, realm', () => {
  const page =
    'HTTP/1.1 401 Unauthorized\r\nServer: lighttpd/1.4\r\nWWW-Authenticate: Basic realm="AXIS M3045"\r\n\r\n<html><TITLE lang="en">\n Live &amp;\0 well </TITLE>'
  expect(readHttp(bytes(page))).toEqual({ server: 'lighttpd/1.4', title: 'Live & well', realm: 'AXIS M3045' })
  expect(readHttp(bytes('SSH-2.0-x\r\n'))).toBeUndefined()
  expect(httpParts(bytes('RTSP/1.0 200 OK\r\nCSeq: 1\r\nServer: Hipcam\r\n\r\n')).header('server')).toBe(
    'Hipcam',
  )
  // cut within the head
  expect(httpParts(bytes('HTTP/1.1 200 OK\r\nServer: x'))).toMatchObject({ status: 200, body: bytes('') })
})

test('a certificate: whose, by whom, for which names', () => {
  const shown = readCertificate({
    subject: { CN: 'nas.example.test', O: 'Synology Inc.', OU: '', C: 'TW', ST: '', L: '' },
    issuer: { CN: 'Synology CA', O: 'Synology Inc.', OU: '', C: 'TW', ST: '', L: '' },
    subjectaltname: 'DNS:nas.example.test, IP Address:10.0.0.7',
    valid_from: 'Jan  2 00:00:00 2026 GMT',
    valid_to: 'Jan  2 00:00:00 2027 GMT',
  })
  expect(shown).toEqual({
    subject: 'CN=nas.example.test, O=Synology Inc.',
    issuer: 'CN=Synology CA, O=Synology Inc.',
    validFrom: '2026-01-02T00:00:00.000Z',
    validTo: '2027-01-02T00:00:00.000Z',
    selfSigned: false,
    names: 'DNS:nas.example.test, IP Address:10.0.0.7',
  })
  expect(readCertificate({})).toBeUndefined()
})

/** The answers of real servers are in the tests of the lab; here none of these may throw, nor look for long. */
test('bytes of any kind do no harm', () => {
  const start = fc.constantFrom(
    '',
    'HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\nTransfer-Encoding: chunked\r\n\r\n',
    '\0\0\0\x50\xfeSMB',
    'SSH-2.0-',
    '220 ',
    'HTTP/1.1 200\r\n\r\n<title>',
  )
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 300 }), (head, rest) => {
      const received = Buffer.concat([bytes(head), rest])
      for (const read of [readHttp, readIpp, readSmb, sshBanner, ftpGreeting]) {
        const json = JSON.stringify(read(received)) ?? ''
        expect(json).not.toContain('\\u0000')
        expect(json.isWellFormed()).toBe(true)
      }
      for (const isEnough of [isTitled, isSmbAnswer, isSshBanner, isFtpGreeting])
        expect(typeof isEnough(received)).toBe('boolean')
    }),
    { numRuns: 3_000 },
  )
})

test('what is asked is what the documents say', () => {
  expect(ippQuestion('10.0.0.1').includes(Buffer.from('ipp://10.0.0.1/ipp/print'))).toBe(true)
  expect(smbQuestion().readUInt32BE(0)).toBe(smbQuestion().length - 4)
})

async function talk(serve: (socket: Socket) => void, say?: string) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    serve(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const { signal } = new AbortController()
  const at = { address: '127.0.0.1', port, octetsMax: 1_000, timeoutMs: 1_000 }
  try {
    return await sendTcpRequest({ ...at, ...(say !== undefined && { say }) }, signal)
  } finally {
    server.close()
  }
}

test('a server that says nothing is left', async () => {
  expect(await talk(() => undefined)).toBeUndefined()
})

test('a server that never ends is heard in bounds', async () => {
  const received = await talk((socket) => {
    const more = (): void =>
      void (socket.destroyed || !socket.write(Buffer.alloc(500, 65)) || setImmediate(more))
    more()
  })
  expect(received?.bytes.length).toBeGreaterThanOrEqual(1_000)
  expect(received?.bytes.length).toBeLessThan(100_000)
})

test('a server that drips is heard until the time is over', async () => {
  const received = await talk((socket) => {
    const timer = setInterval(() => socket.write('x'), 100)
    socket.once('close', () => clearInterval(timer))
  })
  expect(received?.bytes.toString()).toMatch(/^x+$/)
})

test('a server that closes at once, and one that resets', async () => {
  expect(await talk((socket) => socket.end('bye'), 'hello')).toMatchObject({ bytes: Buffer.from('bye') })
  expect(await talk((socket) => socket.resetAndDestroy(), 'hello')).toBeUndefined()
})
