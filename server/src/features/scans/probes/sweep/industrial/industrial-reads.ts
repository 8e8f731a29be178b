import type { Json } from '#features/assets/observation.ts'
import type { TouchCounter } from '../../touches/touch-counter.ts'
import { sendTcpRequest } from '../services/tcp-request.ts'
import { askBacnet } from './bacnet.ts'
import { isModbusAnswer, modbusQuestion, readModbus } from './modbus.ts'
import { isMqttAnswer, mqttQuestion, readMqtt } from './mqtt.ts'

/** Protocols of machines and buildings in which a device is asked who it is, only where somebody turned it on. */
export const industrialReads = ['modbus', 'bacnet', 'mqtt'] as const
export type IndustrialRead = (typeof industrialReads)[number]

export interface IndustrialContext {
  readonly signal: AbortSignal
  /** Waits until so many packets may leave to the host. */
  readonly acquire: (packets: number) => Promise<void>
  readonly touches: TouchCounter | undefined
  /** Asked after a question without an answer; false: nothing more is asked. */
  readonly isSound: () => Promise<boolean>
}

const ANSWER_MS = 3_000
const OCTETS_MAX = 4_096
/** Packets of one conversation over TCP, closing included. */
const PACKETS = 7

const tcp = {
  modbus: { port: 502, say: modbusQuestion, isEnough: isModbusAnswer, read: readModbus },
  mqtt: { port: 1_883, say: mqttQuestion, isEnough: isMqttAnswer, read: readMqtt },
} as const

/** What the device says in the protocols that are turned on, one question after the other: who it is, and no value of its process. */
export async function askIndustrial(
  address: string,
  reads: readonly IndustrialRead[],
  context: IndustrialContext,
): Promise<Readonly<Record<string, Json>>> {
  const facts: Record<string, Json> = {}
  for (const read of industrialReads) {
    if (!reads.includes(read)) continue
    const found = read === 'bacnet' ? await bacnet(address, context) : await overTcp(address, read, context)
    if (found && Object.keys(found).length > 0) facts[read] = found as Json
    else if (!(await context.isSound())) break
  }
  return facts
}

const bacnet = (address: string, { signal, acquire, touches }: IndustrialContext) =>
  askBacnet(address, { signal, touches, acquire: () => acquire(1) })

async function overTcp(
  address: string,
  name: keyof typeof tcp,
  { signal, acquire, touches }: IndustrialContext,
): Promise<object | undefined> {
  const { port, say, isEnough, read } = tcp[name]
  await acquire(PACKETS)
  const conversation = { address, port, say: say(), isEnough, octetsMax: OCTETS_MAX, timeoutMs: ANSWER_MS }
  const received = await sendTcpRequest({ ...conversation, touches }, signal)
  signal.throwIfAborted()
  return received && read(received.bytes)
}
