import type { ExplainedObservation } from './explain-asset.ts'

/** A network interface with the addresses that sources assigned to it. */
export interface Interface {
  /** Empty for addresses of which no source reported the interface. */
  readonly mac: string
  readonly addresses: readonly string[]
  /** Ids of the observations that report it. */
  readonly observationIds: readonly string[]
  readonly lastSeen: string
}

/**
 * An observation with one MAC address assigns its IP addresses to that; with several, the assignment is unknown and
 * the addresses are listed under an empty MAC.
 */
export function interfacesOf(observations: readonly ExplainedObservation[]): Interface[] {
  const found = new Map<string, Interface>()
  const add = (mac: string, addresses: readonly string[], { id, lastSeen }: ExplainedObservation): void => {
    const known = found.get(mac)
    found.set(mac, {
      mac,
      addresses: [...new Set([...(known?.addresses ?? []), ...addresses])],
      observationIds: [...(known?.observationIds ?? []), id],
      lastSeen: known && known.lastSeen > lastSeen ? known.lastSeen : lastSeen,
    })
  }
  for (const observation of observations) {
    const current = observation.identifiers.filter(({ lastSeen }) => lastSeen === null)
    const valuesOf = (type: string) => current.filter((it) => it.type === type).map(({ value }) => value)
    const [macs, addresses] = [valuesOf('mac'), valuesOf('ip')]
    const [only] = macs.length === 1 ? macs : ['']
    for (const mac of macs) add(mac, mac === only ? addresses : [], observation)
    if (only === '' && addresses.length > 0) add('', addresses, observation)
  }
  const placed = new Set([...found].flatMap(([mac, { addresses }]) => (mac === '' ? [] : addresses)))
  return [...found.values()]
    .map((it) =>
      it.mac === '' ? { ...it, addresses: it.addresses.filter((each) => !placed.has(each)) } : it,
    )
    .filter(({ mac, addresses }) => mac !== '' || addresses.length > 0)
    .toSorted((x, y) => Number(x.mac === '') - Number(y.mac === '') || (x.mac < y.mac ? -1 : 1))
}
