import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { freePort } from '../network/free-port.ts'
import { tlsCertificateFor } from '../http/tls-certificates.ts'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Whether the connection was encrypted. */
  readonly isSecure: boolean
  /** The headers as they came, unfolded, by name in lower case; one for each line. */
  readonly headers: readonly (readonly [string, string])[]
  readonly raw: string
}

export interface MailServer {
  readonly url: string
  /** PEM of the authority that its certificate is from. */
  readonly ca: string
  readonly mails: readonly ReceivedMail[]
  /** From now on it can be reached; before, connections are refused. */
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

export const USER = 'rollcall'
export const PASSWORD = 'correct horse'

/**
 * An SMTP server (the library smtp-server) on a port of its own, with STARTTLS and a password, not started yet.
 * `full@` any domain has no room left (452), `nobody@` is unknown (550). Gone with the test.
 */
export async function mailServer({ offersTls = true } = {}): Promise<MailServer> {
  const port = await freePort()
  const { ca, key, cert } = tlsCertificateFor('localhost', 2)
  const mails: ReceivedMail[] = []
  let server: SMTPServer | undefined
  const stop = async (): Promise<void> => {
    const running = server
    server = undefined
    if (running) await new Promise<void>((resolve) => running.close(() => resolve()))
  }
  onTestFinished(stop)
  return {
    url: `smtp://${USER}:${encodeURIComponent(PASSWORD)}@localhost:${port}`,
    ca,
    mails,
    stop,
    async start() {
      server = new SMTPServer({
        key,
        cert,
        ...(offersTls ? {} : { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }),
        onAuth: ({ username, password }, _, done) =>
          username === USER && password === PASSWORD
            ? done(null, { user: USER })
            : done(new Error(`no such user ${username} with ${password}`)),
        onRcptTo({ address }, _, done) {
          const code = address.startsWith('full@') ? 452 : address.startsWith('nobody@') ? 550 : undefined
          done(code === undefined ? null : Object.assign(new Error('refused'), { responseCode: code }))
        },
        onData(stream, { envelope, secure }, done) {
          void text(stream).then((raw) => {
            const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
            const to = envelope.rcptTo.map(({ address }) => address)
            mails.push({ from, to, isSecure: secure, headers: headersOf(raw), raw })
            done(null)
          })
        },
      })
      server.on('error', () => {})
      server.listen(port, 'localhost')
      await once(server.server, 'listening')
    },
  }
}

function headersOf(raw: string): (readonly [string, string])[] {
  const [head = ''] = raw.split('\r\n\r\n')
  return head
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()])
}

/** The content of the first part of that media type, decoded. */
export function partOf({ raw }: Pick<ReceivedMail, 'raw'>, type: string): string {
  const at = raw.search(new RegExp(`^content-type: ${type}`, 'im'))
  if (at < 0) throw new Error(`no part ${type}`)
  const [head = '', ...rest] = raw.slice(at).split('\r\n\r\n')
  const body = rest.join('\r\n\r\n').split(/\r\n--/)[0] ?? ''
  if (/transfer-encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString()
  if (!/transfer-encoding: quoted-printable/i.test(head)) return body
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
