import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { freePort } from '../network/free-port.ts'
import { tlsCertificateFor } from '../http/tls-certificates.ts'

export interface DebianMailServer {
  readonly url: string
  /** PEM of the authority that its certificate is from. */
  readonly ca: string
  /** Resolves when it can be reached; before, connections are refused. */
  readonly start: () => Promise<void>
  /** What it has taken, as it came. */
  readonly mails: () => Promise<string[]>
}

const STARTED_MS_MAX = 20_000

/** The server of Debian's python3-aiosmtpd on a port of its own, which wants STARTTLS; not started yet. Gone with the test. */
export async function debianMailServer(): Promise<DebianMailServer> {
  const port = await freePort()
  const { ca, key, cert } = tlsCertificateFor('localhost', 2)
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-mail-'))
  const [mailbox, keyFile, certFile] = ['mailbox', 'key.pem', 'cert.pem'].map((it) => join(folder, it))
  let server: ChildProcess | undefined
  onTestFinished(async () => {
    if (server && server.exitCode === null) {
      const ended = once(server, 'exit')
      server.kill()
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  })
  return {
    url: `smtp://localhost:${port}`,
    ca,
    async start() {
      await writeFile(keyFile ?? '', key)
      await writeFile(certFile ?? '', cert)
      const tls = ['--tlscert', certFile ?? '', '--tlskey', keyFile ?? '']
      const args = ['-n', '-c', 'aiosmtpd.handlers.Mailbox', ...tls, '-l', `localhost:${port}`, mailbox ?? '']
      server = spawn('aiosmtpd', args, { stdio: 'ignore' })
      await untilListening(port)
    },
    async mails() {
      const taken = join(mailbox ?? '', 'new')
      const names = existsSync(taken) ? await readdir(taken) : []
      return Promise.all(names.map((name) => readFile(join(taken, name), 'utf8')))
    },
  }
}

async function untilListening(port: number): Promise<void> {
  const lastAt = performance.now() + STARTED_MS_MAX
  for (;;) {
    const socket = connect(port, 'localhost')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    if (performance.now() > lastAt) throw new Error('aiosmtpd does not start')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
