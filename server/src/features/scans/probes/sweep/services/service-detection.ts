import type { Json } from '#features/assets/observation.ts'
import type { TouchCounter } from '../../touches/touch-counter.ts'
import { Channel } from '../../snmp/protocol/udp-channel.ts'
import { discover } from '../../snmp/protocol/agent.ts'
import { readCertificate } from './certificate.ts'
import { sendTcpRequest, type TcpRequest, type TcpResponse } from './tcp-request.ts'
import { ftpGreeting, isFtpGreeting, isSshBanner, sshBanner } from './banner.ts'
import { httpParts, httpQuestion, isTitled, readHttp } from './http.ts'
import { ippQuestion, readIpp } from './ipp.ts'
import { isSmbAnswer, readSmb, smbQuestion } from './smb.ts'

type Facts = Readonly<Record<string, Json>>

/** One kind of service: the request, and how its response becomes facts, under the names that recognition reads. */
interface Service {
  readonly ports: readonly number[]
  /** Packets that a conversation costs this machine, acknowledgements and closing included. */
  readonly packets: number
  readonly conversation: (address: string) => Omit<TcpRequest, 'address' | 'port' | 'timeoutMs'>
  readonly read: (received: TcpResponse) => Facts
}

const ANSWER_MS = 3_000
const PAGE_OCTETS_MAX = 16_384
const LINE_OCTETS_MAX = 4_096
/** Data that one packet of ours acknowledges. */
const OCTETS_ACKNOWLEDGED = 2_896

const services: readonly Service[] = [
  {
    ports: [22],
    packets: 6,
    conversation: () => ({ octetsMax: LINE_OCTETS_MAX, isEnough: isSshBanner }),
    read: ({ bytes }) => fact('sshBanner', sshBanner(bytes)),
  },
  {
    ports: [21],
    packets: 6,
    conversation: () => ({ octetsMax: LINE_OCTETS_MAX, isEnough: isFtpGreeting }),
    read: ({ bytes }) => fact('ftpGreeting', ftpGreeting(bytes)),
  },
  {
    ports: [80, 8080],
    packets: 8,
    conversation: (address) => ({
      say: httpQuestion(address),
      octetsMax: PAGE_OCTETS_MAX,
      isEnough: isTitled,
    }),
    read: ({ bytes }) => fact('http', asFact(readHttp(bytes))),
  },
  {
    ports: [443],
    packets: 13,
    conversation: (address) => ({
      isTls: true,
      say: httpQuestion(address),
      octetsMax: PAGE_OCTETS_MAX,
      isEnough: isTitled,
    }),
    read: ({ bytes, certificate }) => ({
      ...fact('tls', asFact(readCertificate(certificate))),
      ...fact('https', asFact(readHttp(bytes))),
    }),
  },
  {
    ports: [445],
    packets: 7,
    conversation: () => ({ say: smbQuestion(), octetsMax: LINE_OCTETS_MAX, isEnough: isSmbAnswer }),
    read: ({ bytes }) => fact('smb', asFact(readSmb(bytes))),
  },
  {
    ports: [554],
    packets: 7,
    conversation: () => ({
      say: 'OPTIONS * RTSP/1.0\r\nCSeq: 1\r\nUser-Agent: Rollcall\r\n\r\n',
      octetsMax: LINE_OCTETS_MAX,
      isEnough: (received) => received.includes('\r\n\r\n'),
    }),
    read: ({ bytes }) => fact('rtsp', httpParts(bytes).header('server')),
  },
  {
    ports: [631],
    packets: 8,
    conversation: (address) => ({ say: ippQuestion(address), octetsMax: PAGE_OCTETS_MAX }),
    read: ({ bytes }) => fact('ipp', asFact(readIpp(bytes))),
  },
]

export interface ServiceDetectionContext {
  readonly signal: AbortSignal
  /** Waits until so many packets may leave to the host. */
  readonly acquire: (packets: number) => Promise<void>
  /** Notes packets that left beyond those. */
  readonly owe: (packets: number) => void
  readonly touches: TouchCounter | undefined
  /** Asked after a conversation without an answer; false: nothing more is asked. */
  readonly isSound: (port: number) => Promise<boolean>
}

/**
 * Asks what listens at the open ports, one conversation at a time: greetings, pages, certificates, what a printer is.
 * Nothing is written anywhere and nobody signs in. A port that has greeted before is not connected to again.
 */
export async function askServices(
  address: string,
  open: ReadonlyMap<number, Buffer | undefined>,
  { signal, acquire, owe, touches, isSound }: ServiceDetectionContext,
): Promise<Facts> {
  let facts: Facts = {}
  for (const { ports, packets, conversation, read } of services) {
    const port = ports.find((it) => open.has(it))
    if (port === undefined) continue
    const greeting = open.get(port)
    if (greeting === undefined) await acquire(packets)
    const received =
      greeting === undefined
        ? await sendTcpRequest(
            { ...conversation(address), address, port, timeoutMs: ANSWER_MS, touches },
            signal,
          )
        : heard(greeting)
    signal.throwIfAborted()
    if (!received && !(await isSound(port))) break
    if (!received) continue
    owe(Math.floor(received.bytes.length / OCTETS_ACKNOWLEDGED))
    facts = { ...facts, ...read(received) }
  }
  return facts
}

const heard = (greeting: Buffer): TcpResponse | undefined =>
  greeting.length > 0 ? { bytes: greeting } : undefined

const ENGINE_MS = 800

/** The id of the SNMPv3 engine, which agents report without authentication (RFC 3414, 4); undefined: no answer. */
export async function askEngine(
  address: string,
  signal: AbortSignal,
  touches: TouchCounter | undefined,
): Promise<string | undefined> {
  let channel: Channel | undefined
  try {
    channel = await Channel.open({ address, port: 161 }, signal, {
      octets: 65_536,
      ms: ENGINE_MS * 2,
      touches,
    })
    const { engineId } = await discover(channel, { firstMs: ENGINE_MS, tries: 1 })
    return engineId.toString('hex')
  } catch {
    signal.throwIfAborted()
    return undefined
  } finally {
    channel?.close()
  }
}

const fact = (name: string, value: Json | undefined): Facts => (value === undefined ? {} : { [name]: value })

/** An object that says something; without one, nothing. */
const asFact = (found: object | undefined): Json | undefined =>
  found && Object.keys(found).length > 0 ? (found as Json) : undefined
