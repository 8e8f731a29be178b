import { collect, stampsOf, type Collected } from './collecting/collect.ts'
import type { Machine } from './collecting/machine.ts'
import { sectionNames } from './collecting/section.ts'
import type { Json } from './json.ts'
import type { Progress } from './state/agent-state.ts'
import { sectionHash } from './wire/canonical-json.ts'

/** What a host is and has. */
export interface Inventory extends Omit<Collected, 'sections'> {
  /** Contents of the sections that were read. */
  readonly sections: Readonly<Record<string, Json>>
  /** Of all sections, those included that were not read because they are as they were. */
  readonly hashes: Readonly<Record<string, string>>
  /** For the next round, by section. */
  readonly stamps: Progress['stamps']
}

/** Reads the host. A section whose stamp is that of the last round, and which the server has, is not read again. */
export async function readInventory(
  machine: Machine,
  { stamps, acknowledged }: Progress,
): Promise<Inventory> {
  const found = Object.entries(await stampsOf(machine)).map(
    ([name, text]) => [name, sectionHash(text)] as const,
  )
  const same = found.filter(([name, stamp]) => {
    const before = stamps[name]
    return before?.stamp === stamp && before.hash === acknowledged[name]
  })
  const inventory = withHashes(await collect(machine, new Set(same.map(([name]) => name))))
  const unread = same.map(([name]) => [name, acknowledged[name] ?? ''] as const)
  const hashes = { ...inventory.hashes, ...Object.fromEntries(unread) }
  const stamped = found.flatMap(([name, stamp]) => {
    const hash = hashes[name]
    return hash === undefined ? [] : [[name, { stamp, hash }] as const]
  })
  return { ...inventory, hashes, stamps: Object.fromEntries(stamped) }
}

/** With those of the sections `names` that were not read. */
export async function withSections(
  machine: Machine,
  inventory: Inventory,
  names: readonly string[],
): Promise<Inventory> {
  const unread = new Set(names.filter((it) => !(it in inventory.sections)))
  if (unread.size === 0) return inventory
  const more = withHashes(await collect(machine, new Set(sectionNames.filter((it) => !unread.has(it)))))
  return {
    ...inventory,
    sections: { ...inventory.sections, ...more.sections },
    hashes: { ...inventory.hashes, ...more.hashes },
  }
}

function withHashes({ sections, failed, problems }: Collected): Omit<Inventory, 'stamps'> {
  const all = Object.entries(sections as Readonly<Record<string, Json>>)
  const hashes = Object.fromEntries(all.map(([name, section]) => [name, sectionHash(section)]))
  return { sections: Object.fromEntries(all), hashes, failed, problems }
}
