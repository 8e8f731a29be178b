/** What facts of sources say of the hardware, as lines for people. Facts are whatever a source sent. */

type Facts = Readonly<Record<string, unknown>>

export interface KnownHardware {
  readonly cpu_model: string | null
  readonly cpu_count: number | null
  readonly memory_bytes: number | null
  readonly disk_bytes: number | null
  readonly bios: string | null
  readonly booted_at: string | null
  readonly disks: unknown
  readonly modules: unknown
}

export interface HardwareLine {
  readonly what: string
  readonly value: string
}

const PARTS_MAX = 20
const TEXT_LENGTH_MAX = 200

export function hardwareOf(known: KnownHardware): HardwareLine[] {
  const { cpu_model: model, cpu_count: count, booted_at: booted } = known
  const processor = [model, count === null ? null : `${count} ${count === 1 ? 'processor' : 'processors'}`]
  const lines = [
    { what: 'Processor', value: processor.filter(Boolean).join(', ') },
    { what: 'Memory', value: bytesText(known.memory_bytes) },
    { what: 'Disks in all', value: bytesText(known.disk_bytes) },
    ...itemsOf(known.disks).map((it) => ({ what: 'Disk', value: partText(it) })),
    ...itemsOf(known.modules).map((it) => ({ what: 'Module', value: partText(it) })),
    { what: 'Firmware', value: known.bios ?? '' },
    { what: 'Started', value: booted === null ? '' : `${booted.slice(0, 16).replace('T', ' ')} UTC` },
  ]
  return lines.filter(({ value }) => value !== '')
}

export interface InterfaceLine {
  readonly interface: string | null
  readonly mac: string | null
  readonly addresses: string
}

/** The interfaces that the best source lists; else what is known of the asset's addresses, without their interface. */
export function interfacesIn(
  listed: unknown,
  known: { readonly macs: readonly string[] | null; readonly addresses: readonly string[] | null },
): InterfaceLine[] {
  const lines = itemsOf(listed, 200).map((it) => ({
    interface: textOf(it['name']) || null,
    mac: textOf(it['mac']) || null,
    addresses: addressesOf(it['addresses']).join(', '),
  }))
  if (lines.length > 0) return lines
  const macs = known.macs ?? []
  const addresses = (known.addresses ?? []).map((it) => it.replace(/\/(32|128)$/, '')).join(', ')
  if (macs.length === 1) return [{ interface: null, mac: macs[0] ?? null, addresses }]
  const ofMacs = macs.map((mac) => ({ interface: null, mac, addresses: '' }))
  return addresses === '' ? ofMacs : [...ofMacs, { interface: null, mac: null, addresses }]
}

const isObject = (value: unknown): value is Facts => typeof value === 'object' && value !== null

const itemsOf = (value: unknown, most = PARTS_MAX): Facts[] =>
  Array.isArray(value) ? value.filter(isObject).slice(0, most) : []

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim().slice(0, TEXT_LENGTH_MAX) : ''

/** `192.0.2.1`, or `{ ip, prefix }`. */
const addressesOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).flatMap((it: unknown) => {
    if (typeof it === 'string') return it
    if (!isObject(it)) return []
    const prefix = it['prefix']
    return `${textOf(it['ip'])}${typeof prefix === 'number' ? `/${prefix}` : ''}`
  })

function partText(part: Facts): string {
  const words = ['name', 'maker', 'model', 'text', 'serial'].map((key) => textOf(part[key]))
  const size = [part['bytes'], part['sizeBytes']].find((it) => typeof it === 'number')
  return [...new Set([...words, bytesText(size ?? null)])].filter((it) => it !== '').join(', ')
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** `16 GiB`; empty for what is not known. */
export function bytesText(bytes: number | null): string {
  if (bytes === null || !(bytes > 0)) return ''
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const tenths = Math.round((10 * bytes) / 1_024 ** power)
  return `${tenths / 10} ${UNITS[power]}`
}
