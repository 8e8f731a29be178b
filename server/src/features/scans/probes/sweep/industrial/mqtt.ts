import { plainText } from '../services/plain-text.ts'

export interface MqttBroker {
  /** `open`: it lets in whoever comes; `refused`: it wants an account, or another version of the protocol. */
  readonly access: 'open' | 'refused'
  /** As it calls itself in `$SYS/broker/version`. */
  readonly broker?: string
}

const TOPIC = '$SYS/broker/version'
const CONNACK = 2
const PUBLISH = 3
const KEEP_ALIVE_SECONDS = 10

const prefixed = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes])
}

/** Shorter than 128 octets. */
const packet = (type: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([type, body.length]), body])
}

/**
 * CONNECT without an account, a will or a session, and SUBSCRIBE to the one topic that tells the version (MQTT 3.1.1, 3.1
 * and 3.8; a client need not wait between both). Nothing is published.
 */
export function mqttQuestion(): Buffer {
  const cleanSession = Buffer.from([4, 2, 0, KEEP_ALIVE_SECONDS])
  const connect = packet(0x10, prefixed('MQTT'), cleanSession, prefixed(''))
  return Buffer.concat([connect, packet(0x82, Buffer.from([0, 1]), prefixed(TOPIC), Buffer.from([0]))])
}

/** The refusal, or the version. */
export function isMqttAnswer(received: Buffer): boolean {
  const { access, broker } = readMqtt(received) ?? {}
  return access === 'refused' || broker !== undefined
}

/** Undefined: it is no broker. */
export function readMqtt(received: Buffer): MqttBroker | undefined {
  const [first, ...others] = packetsIn(received)
  if (first?.type !== CONNACK || first.body.length !== 2) return undefined
  if (first.body.readUInt8(1) !== 0) return { access: 'refused' }
  const told = others.find(({ type }) => type === PUBLISH)?.body
  const topic = prefixed(TOPIC)
  const isVersion = told?.subarray(0, topic.length).equals(topic) === true
  const broker = isVersion ? plainText(told.subarray(topic.length).toString()) : undefined
  return { access: 'open', ...(broker !== undefined && { broker }) }
}

/** Whole ones only. */
function packetsIn(received: Buffer): { readonly type: number; readonly body: Buffer }[] {
  const found = []
  for (let at = 0; at + 2 <= received.length;) {
    const type = received.readUInt8(at++) >> 4
    let length = 0
    for (let shift = 0; shift < 28 && at < received.length; shift += 7) {
      const octet = received.readUInt8(at++)
      length |= (octet & 0x7f) << shift
      if (octet < 0x80) break
    }
    if (at + length > received.length) break
    found.push({ type, body: received.subarray(at, at + length) })
    at += length
  }
  return found
}
