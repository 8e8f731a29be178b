import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/**
 * A WS-Management service that refuses what Windows refuses: whoever is not signed in, other ways to sign in than
 * NTLM, messages in the clear over plain HTTP, envelopes without what must be understood. Its side of NTLM is Debian's
 * gss-ntlmssp. What WMI says comes from the test; no Windows can run here.
 */
export interface WsmanServer {
  readonly port: number
  /** Envelopes that came, opened. */
  readonly envelopes: readonly string[]
  /** Ends all connections, as a service that restarts. */
  readonly drop: () => void
}

export interface WsmanServerOptions {
  /** `user:password` pairs of the domain `CORP`. */
  readonly accounts: Readonly<Record<string, string>>
  /** Answers the body of an envelope, or a status with a body. */
  readonly answer: (envelope: string) => string | { readonly status: number; readonly body: string }
  readonly tls?: { readonly key: string; readonly cert: string }
  /** What to do wrong with an answer. */
  readonly spoil?: (body: Buffer) => Buffer
}

export async function wsmanServer(options: WsmanServerOptions): Promise<WsmanServer> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-wsman-'))
  const users = join(folder, 'users')
  writeFileSync(
    users,
    Object.entries(options.accounts)
      .map(([name, password]) => `CORP:${name}:${password}\n`)
      .join(''),
  )
  const scene: Scene = { options, users, envelopes: [], visitors: new Map() }
  const listener = (request: IncomingMessage, response: ServerResponse): void =>
    void visited(scene, request, response).catch((error: unknown) => response.destroy(error as Error))
  const server = options.tls ? createTlsServer(options.tls, listener) : createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const drop = (): void => {
    for (const [socket, visitor] of scene.visitors) {
      visitor.acceptor?.kill()
      socket.destroy()
    }
    scene.visitors.clear()
  }
  onTestFinished(() => {
    drop()
    server.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  })
  return { port: (server.address() as AddressInfo).port, envelopes: scene.envelopes, drop }
}

interface Scene {
  readonly options: WsmanServerOptions
  readonly users: string
  readonly envelopes: string[]
  readonly visitors: Map<Socket, Visitor>
}

/** Whoever is at the other end of one connection. */
interface Visitor {
  acceptor?: ChildProcess
  ask: (line: string) => Promise<string>
  isSignedIn: boolean
}

async function visited(scene: Scene, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const { socket } = request
  const { authorization } = request.headers
  if (authorization !== undefined) return await signIn(scene, socket, authorization, response)
  const visitor = scene.visitors.get(socket)
  if (!visitor?.isSignedIn) return refuse(response, NTLM_OFFERED)
  const isTls = scene.options.tls !== undefined
  const plain = isTls ? body.toString() : await unsealed(visitor, request, body)
  if (plain === undefined) return refuse(response, NTLM_OFFERED)
  scene.envelopes.push(plain)
  const fault = missing(plain)
  const answered = fault ? { status: 500, body: fault } : asAnswer(scene.options.answer(plain))
  await reply(scene, visitor, response, answered)
}

const NTLM_OFFERED = ['Negotiate', 'Kerberos']

async function signIn(scene: Scene, socket: Socket, header: string, response: ServerResponse): Promise<void> {
  const token = /^Negotiate ([\w+/=]+)$/.exec(header)?.[1]
  if (token === undefined) return refuse(response, NTLM_OFFERED)
  const known = scene.visitors.get(socket)
  const visitor = known && !known.isSignedIn ? known : welcome(scene, socket)
  const [verdict, rest = ''] = (await visitor.ask(`accept ${token}`)).split(' ')
  if (verdict === 'challenge') return refuse(response, [`Negotiate ${rest}`])
  if (verdict !== 'accepted') return refuse(response, NTLM_OFFERED)
  visitor.isSignedIn = true
  response.writeHead(200, { 'content-length': 0 }).end()
}

function welcome(scene: Scene, socket: Socket): Visitor {
  const acceptor = spawn('/usr/bin/python3', [join(import.meta.dirname, 'ntlm-acceptor.py')], {
    env: { PATH: process.env.PATH, NTLM_USER_FILE: scene.users },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  acceptor.stdin.on('error', () => undefined) // it ends with the connection
  const lines = createInterface({ input: acceptor.stdout })[Symbol.asyncIterator]()
  const ask = async (line: string): Promise<string> => {
    acceptor.stdin.write(`${line}\n`)
    const { value } = await lines.next()
    return String(value)
  }
  const visitor: Visitor = { acceptor, ask, isSignedIn: false }
  scene.visitors.set(socket, visitor)
  socket.once('close', () => acceptor.kill())
  return visitor
}

function refuse(response: ServerResponse, offers: readonly string[]): void {
  response.writeHead(401, { 'www-authenticate': [...offers], 'content-length': 0 }).end()
}

const SEALED = 'application/HTTP-SPNEGO-session-encrypted'

/** As the protocol has it to the octet, or not at all. */
async function unsealed(
  visitor: Visitor,
  request: IncomingMessage,
  body: Buffer,
): Promise<string | undefined> {
  const type = `multipart/encrypted;protocol="${SEALED}";boundary="Encrypted Boundary"`
  if (request.headers['content-type'] !== type) return undefined
  const head = new RegExp(
    `^--Encrypted Boundary\\r\\n\\tContent-Type: ${SEALED}\\r\\n` +
      '\\tOriginalContent: type=application/soap\\+xml;charset=UTF-8;Length=(\\d+)\\r\\n' +
      '--Encrypted Boundary\\r\\n\\tContent-Type: application/octet-stream\\r\\n',
  ).exec(body.toString('latin1'))
  const tail = '--Encrypted Boundary--\r\n'
  if (!head || !body.toString('latin1').endsWith(tail)) return undefined
  const sealed = body.subarray(head[0].length + 4, body.length - tail.length)
  if (body.readUInt32LE(head[0].length) !== 16) return undefined
  const [verdict, plain = ''] = (await visitor.ask(`unwrap ${sealed.toString('base64')}`)).split(' ')
  const opened = Buffer.from(plain, 'base64')
  return verdict === 'plain' && opened.length === Number(head[1]) ? opened.toString() : undefined
}

/** The elements of the header without which Windows refuses an envelope. */
function missing(envelope: string): string | undefined {
  const needed = ['a:To', 'w:ResourceURI', 'a:Action', 'a:MessageID', 'a:Address', 'w:MaxEnvelopeSize']
  const absent = needed.find((name) => !new RegExp(`<${name}[ >]`).test(envelope))
  return absent && fault('a:MessageInformationHeaderRequired', `${absent} is missing`)
}

export const soap = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Header/><s:Body>${body}</s:Body></s:Envelope>`

export const fault = (code: string, reason: string): string =>
  soap(
    `<s:Fault><s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value>${code}</s:Value></s:Subcode></s:Code><s:Reason><s:Text xml:lang="en-US">${reason}</s:Text></s:Reason></s:Fault>`,
  )

type Answered = Exclude<ReturnType<WsmanServerOptions['answer']>, string>

const asAnswer = (answer: ReturnType<WsmanServerOptions['answer']>): Answered =>
  typeof answer === 'string' ? { status: 200, body: answer } : answer

async function reply(
  { options: { tls, spoil = (body) => body } }: Scene,
  visitor: Visitor,
  response: ServerResponse,
  { status, body }: Answered,
): Promise<void> {
  const plain = Buffer.from(body)
  if (tls) {
    response.writeHead(status, { 'content-type': 'application/soap+xml;charset=UTF-8' }).end(spoil(plain))
    return
  }
  const [, sealed = ''] = (await visitor.ask(`wrap ${plain.toString('base64')}`)).split(' ')
  const length = Buffer.alloc(4)
  length.writeUInt32LE(16)
  const head = `--Encrypted Boundary\r\n\tContent-Type: ${SEALED}\r\n\tOriginalContent: type=application/soap+xml;charset=UTF-8;Length=${plain.length}\r\n--Encrypted Boundary\r\n\tContent-Type: application/octet-stream\r\n`
  const message = [
    Buffer.from(head),
    length,
    Buffer.from(sealed, 'base64'),
    Buffer.from('--Encrypted Boundary--\r\n'),
  ]
  response
    .writeHead(status, {
      'content-type': `multipart/encrypted;protocol="${SEALED}";boundary="Encrypted Boundary"`,
    })
    .end(spoil(Buffer.concat(message)))
}
