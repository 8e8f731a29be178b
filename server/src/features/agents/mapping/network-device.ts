import { isIP } from 'node:net'
import { normaliseIdentifier } from '#features/assets/assets.ts'
import type { Identifier, Observation } from '#features/assets/observation.ts'
import { sha256 } from '#platform/secrets/random-keys.ts'
import type { Message, Row } from '../messages/message.ts'
import { stated } from './inventory-observation.ts'

const IDENTIFIERS_MAX = 500
const KEY_LENGTH_MAX = 255
const KEY_BEGINNING_LENGTH = 100
/** Names of the categories in XML and in JSON. */
export const DEVICE_CATEGORIES = ['device', 'network_device'] as const
const FACTS = ['type', 'location', 'contact', 'description', 'comments', 'firmware', 'ram', 'uptime'] as const
const NAME = /^[A-Za-z0-9_][\w.-]{0,252}$/

interface Seen {
  readonly seenAt: Date
  /** Of the agent, which alone tells apart what has nothing but a name. */
  readonly deviceId: string
  /** Given by the token. */
  readonly tags: readonly string[]
}

/**
 * Devices that an agent's network discovery and inventory (NETDISCOVERY, SNMPQUERY) tell of. Those of which it knows no
 * more than that an address answers are left out: a name, a serial number or a MAC address makes a device.
 */
export const networkDevicesIn = ({ content }: Pick<Message, 'content'>, seen: Seen): Observation[] =>
  DEVICE_CATEGORIES.flatMap((category) => (content.get(category) ?? []).flatMap((row) => deviceIn(row, seen)))

function deviceIn(row: Row, { seenAt, deviceId, tags }: Seen): Observation[] {
  const told = (field: string): string | undefined =>
    stated(row.get(`info.${field}`)) ?? stated(row.get(field))
  const addresses = listIn([told('ip'), told('ips'), told('ips.ip')]).filter((it) => isIP(it) !== 0)
  const [serial, mac] = [meant('serial', told('serial')), meant('mac', told('mac'))]
  const names = listIn([told('snmphostname'), told('name'), told('dnshostname'), told('netbiosname')]).filter(
    (it) => isIP(it) === 0,
  )
  const [name] = names
  const key = serial ?? mac ?? (name && `${name} ${addresses[0] ?? ''} ${deviceId}`)
  if (key === undefined) return []
  const [vendor, model, firmware] = [told('manufacturer'), told('model'), told('firmware')]
  const facts = FACTS.flatMap((name) => {
    const value = told(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const hostNames = names.map((it) => it.toLowerCase()).filter((it) => NAME.test(it))
  return [
    {
      sourceKey: boundedKey(`device ${key}`),
      seenAt,
      ...(name !== undefined && { name }),
      ...(vendor !== undefined && { vendor }),
      ...(model !== undefined && { model }),
      ...(firmware !== undefined && { os: firmware }),
      identifiers: [
        ...(serial === undefined ? [] : [{ type: 'serial', value: serial } as const]),
        ...(mac === undefined ? [] : [{ type: 'mac', value: mac } as const]),
        ...[...new Set(hostNames)].map((value): Identifier => ({ type: 'hostname', value })),
        ...[...new Set(addresses)]
          .filter((it) => !it.startsWith('127.') && it !== '::1')
          .map((value): Identifier => ({ type: 'ip', value })),
      ].slice(0, IDENTIFIERS_MAX),
      tags: [...tags],
      facts: Object.fromEntries(facts),
    },
  ]
}

/** What distinguishes two devices may stand at the end of a long key: its digest does. */
const boundedKey = (key: string): string =>
  key.length <= KEY_LENGTH_MAX ? key : `${key.slice(0, KEY_BEGINNING_LENGTH)} ${sha256(key).toString('hex')}`

/** Without what stands there where nothing was known, such as a serial number of zeros, or is no MAC address. */
function meant(type: 'serial' | 'mac', value = ''): string | undefined {
  const reading = normaliseIdentifier({ type, value })
  return reading.kind === 'value' ? reading.value : undefined
}

/** Several values of a field are read with commas between them. */
const listIn = (texts: readonly (string | undefined)[]): string[] =>
  texts.flatMap((text) => (text ?? '').split(',')).filter((it) => it !== '')
