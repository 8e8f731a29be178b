import { oid, isBelow } from '../protocol/oid.ts'
import type { Row, Source } from './table.ts'
import { table } from './table.ts'
import { dateAndTime, given, line, number, oidOf } from '../protocol/textual-conventions.ts'

/** HOST-RESOURCES-MIB (RFC 2790). */
export interface Host {
  /** Hundredths of a second since the machine started. */
  readonly upTicks?: number
  readonly memoryKb?: number
  readonly storage: readonly Storage[]
  readonly devices: readonly Device[]
}

export interface Storage {
  readonly name: string
  readonly kind: string
  readonly bytes: number
  readonly usedBytes: number
}

export interface Device {
  readonly kind: string
  readonly text: string
}

export interface Installed {
  readonly name: string
  readonly at?: Date
}

const hrStorageTable = table('hrStorageTable', '1.3.6.1.2.1.25.2.3.1', {
  type: 2,
  descr: 3,
  units: 4,
  size: 5,
  used: 6,
})
const hrDeviceTable = table('hrDeviceTable', '1.3.6.1.2.1.25.3.2.1', { type: 2, descr: 3 })
const hrSWInstalledTable = table('hrSWInstalledTable', '1.3.6.1.2.1.25.6.3.1', { name: 2, date: 5 }, 20_000)

export async function readHost(source: Source): Promise<Host> {
  const cells = await source.scalars('host', {
    upTicks: '1.3.6.1.2.1.25.1.1.0',
    memoryKb: '1.3.6.1.2.1.25.2.2.0',
  })
  return {
    ...given({ upTicks: number(cells.upTicks), memoryKb: number(cells.memoryKb) }),
    storage: (await source.rows(hrStorageTable)).flatMap(storageOf),
    devices: (await source.rows(hrDeviceTable)).flatMap(deviceOf),
  }
}

/** What the host lists as installed, and whether the list was read to its end; undefined: it has no such list. */
export async function readInstalled(
  source: Source,
): Promise<{ readonly items: readonly Installed[]; readonly isComplete: boolean } | undefined> {
  const rows = await source.rows(hrSWInstalledTable)
  const items = rows.flatMap(({ cells }): Installed[] => {
    const name = line(cells.name, 512)
    return name === undefined ? [] : [{ name, ...given({ at: dateAndTime(cells.date) }) }]
  })
  return items.length === 0 ? undefined : { items, isComplete: !source.isCut(hrSWInstalledTable.name) }
}

const STORAGE_TYPES = oid('1.3.6.1.2.1.25.2.1')
const DEVICE_TYPES = oid('1.3.6.1.2.1.25.3.1')

const storageKinds: Readonly<Record<number, string | undefined>> = {
  2: 'ram',
  3: 'virtual memory',
  4: 'fixed disk',
  5: 'removable disk',
  6: 'floppy disk',
  7: 'compact disc',
  8: 'ram disk',
  9: 'flash memory',
  10: 'network disk',
}

const deviceKinds: Readonly<Record<number, string | undefined>> = {
  3: 'processor',
  4: 'network',
  5: 'printer',
  6: 'disk',
  10: 'video',
  11: 'audio',
  12: 'coprocessor',
  13: 'keyboard',
  14: 'modem',
  15: 'parallel connector',
  16: 'pointing',
  17: 'serial connector',
  18: 'tape',
  19: 'clock',
  20: 'volatile memory',
  21: 'non-volatile memory',
}

function storageOf({ cells }: Row<'type' | 'descr' | 'units' | 'size' | 'used'>): Storage[] {
  const type = oidOf(cells.type) ?? []
  const name = line(cells.descr)
  const unit = number(cells.units) ?? 0
  // volumes of more than 2^31 units show as negative with agents that mean them unsigned
  const [size, used] = [cells.size, cells.used].map((it) => unsigned(number(it) ?? 0) * unit)
  if (name === undefined || !size) return []
  const kind = isBelow(STORAGE_TYPES, type) ? storageKinds[type.at(-1) ?? 0] : undefined
  return [{ name, kind: kind ?? 'other', bytes: size, usedBytes: used ?? 0 }]
}

const unsigned = (value: number): number => (value < 0 ? value + 2 ** 32 : value)

function deviceOf({ cells }: Row<'type' | 'descr'>): Device[] {
  const type = oidOf(cells.type) ?? []
  const text = line(cells.descr)
  const kind = isBelow(DEVICE_TYPES, type) ? deviceKinds[type.at(-1) ?? 0] : undefined
  return text === undefined ? [] : [{ kind: kind ?? 'other', text }]
}
