import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

type Type = 'A' | 'AAAA' | 'other'

/** What a name server says to one question. Addresses of the other family than asked for are left out. */
export interface DnsAnswer {
  readonly addresses?: readonly string[]
  /** Names that lead to the addresses: the one asked for is an alias of the first, that of the second, and so on. */
  readonly aliases?: readonly string[]
  /** Owns the addresses instead of the name that was asked for, or of the last alias. */
  readonly owner?: string
  /** Seconds; 0 unless given. */
  readonly ttl?: number
  /** RFC 1035 §4.1.1: 2 server failure, 3 no such name. */
  readonly code?: number
  /** Never answers. */
  readonly isSilent?: boolean
  readonly delayMs?: number
  /** Says over UDP that the answer is longer, which has it asked again over TCP. */
  readonly isTruncated?: boolean
  /** Sent instead of an answer. */
  readonly bytes?: Buffer
  /** The answer to somebody else's question. */
  readonly isForged?: boolean
}

export interface DnsQuestion {
  readonly name: string
  readonly type: Type
  /** How often this was asked before. */
  readonly nth: number
  readonly isTcp: boolean
}

export interface DnsServer {
  /** For `dnsServers`. */
  readonly address: string
  readonly questions: Pick<DnsQuestion, 'name' | 'type'>[]
}

type Ask = (query: Buffer, isTcp: boolean) => Promise<Buffer | undefined>

/** A name server on loopback that says what the test wants, over UDP and TCP, gone with it. */
export async function dnsServer(
  answer: (name: string, nth: number, question: DnsQuestion) => DnsAnswer,
): Promise<DnsServer> {
  const questions: DnsServer['questions'] = []
  const ask: Ask = async (query, isTcp) => {
    const { name, type, end } = readQuestion(query)
    const nth = questions.filter((it) => it.name === name && it.type === type).length
    if (!isTcp) questions.push({ name, type })
    const said = answer(name, nth, { name, type, nth, isTcp })
    if (said.isSilent === true) return undefined
    if (said.delayMs !== undefined) await sleep(said.delayMs, undefined, { ref: false })
    return said.bytes ?? reply({ question: query.subarray(0, end), name, type, isTcp }, said)
  }
  const port = await answerOnOnePort(ask)
  return { address: `127.0.0.1:${port}`, questions }
}

/** The operating system gives a port for one protocol; it may be taken for the other. */
async function answerOnOnePort(ask: Ask): Promise<number> {
  for (let triesLeft = 10; ; triesLeft--) {
    const port = await answerUdp(ask)
    const isFree = await answerTcp(port, ask).then(
      () => true,
      () => false,
    )
    if (isFree) return port
    if (triesLeft === 0) throw new Error('no port for a name server')
  }
}

async function answerUdp(ask: Ask): Promise<number> {
  const socket = createSocket('udp4')
  let isOpen = true
  socket.on('message', (query, { port, address }) => {
    void ask(query, false).then((bytes) => bytes && isOpen && socket.send(bytes, port, address))
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => {
    isOpen = false
    socket.close()
  })
  return socket.address().port
}

/** Each message follows its length (RFC 1035 §4.2.2). */
async function answerTcp(port: number, ask: Ask): Promise<void> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    let read = Buffer.alloc(0)
    const answerOne = async (query: Buffer) => {
      const bytes = await ask(query, true)
      if (!bytes) return
      const length = Buffer.alloc(2)
      length.writeUInt16BE(bytes.length)
      socket.write(Buffer.concat([length, bytes]))
    }
    socket.on('data', (chunk: Buffer) => {
      read = Buffer.concat([read, chunk])
      while (read.length >= 2 && read.length >= 2 + read.readUInt16BE(0)) {
        const end = 2 + read.readUInt16BE(0)
        void answerOne(read.subarray(2, end))
        read = read.subarray(end)
      }
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const it of sockets) it.destroy()
    server.close()
  })
}

const HEADER_BYTES = 12
const TYPES: Record<number, 'A' | 'AAAA'> = { 1: 'A', 28: 'AAAA' }
const CNAME = 5
/** What resolvers of today take in one datagram. */
const UDP_BYTES = 1_232

function readQuestion(query: Buffer): { name: string; type: Type; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: TYPES[query.readUInt16BE(at + 1)] ?? 'other', end: at + 5 }
}

interface Asked {
  readonly question: Buffer
  readonly name: string
  readonly type: Type
  readonly isTcp: boolean
}

function reply({ question, name, type, isTcp }: Asked, said: DnsAnswer): Buffer {
  const { addresses = [], aliases = [], owner, ttl = 0, code = 0 } = said
  const mine = addresses.filter((it) => (it.includes(':') ? 'AAAA' : 'A') === type).map(bytesOf)
  const last = owner ?? aliases.at(-1) ?? name
  const records = [
    ...aliases.map((alias, at) => record(aliases[at - 1] ?? name, CNAME, ttl, nameBytes(alias))),
    ...mine.map((bytes) => record(last, bytes.length === 4 ? 1 : 28, ttl, bytes)),
  ]
  const size = records.reduce((sum, it) => sum + it.length, question.length)
  const isCut = !isTcp && (said.isTruncated === true || size > UDP_BYTES)
  const head = Buffer.from(question)
  if (said.isForged === true) head.writeUInt16BE((head.readUInt16BE(0) + 1) & 0xffff, 0)
  head.writeUInt16BE((isCut ? 0x8380 : 0x8180) | code, 2)
  head.writeUInt16BE(isCut ? 0 : records.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...(isCut ? [] : records)])
}

function record(owner: string, type: number, ttl: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt32BE(ttl, 4)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([nameBytes(owner), fixed, data])
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').map((it) => Buffer.concat([Buffer.from([it.length]), Buffer.from(it)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}

function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  const [left = '', right] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((it) => Number.parseInt(it, 16)))
  const [head, tail] = [groups(left), groups(right ?? '')]
  const all = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]))
}
