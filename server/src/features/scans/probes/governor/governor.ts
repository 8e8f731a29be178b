import { isIP } from 'node:net'
import { spanOfAddress, spanOfNetwork, type AddressSpan } from '../../targets/address-span.ts'
import { parseNetwork } from '../../targets/ip-network.ts'

/** Where a scan asks no more, and why. */
export interface Stop {
  /** An address, a network of any size in canonical form, or `all`. */
  readonly at: string
  readonly reason: string
  /** Asking did it; false: it is gone, and nothing says why. */
  readonly isHarm: boolean
}

/** When so many devices of one network came to harm, the network is not asked any more. */
const NETWORK_HARMED = 3
/** When so many devices in all came to harm, the scan asks no more, and a person should look first. */
const ALL_HARMED = 20
/** Addresses of a network as it is judged: 256, in IPv6 too, whose ranges are as small. */
const PREFIX = { 4: 24, 6: 120 } as const

/**
 * Decides where a scan or a run asks no more: a device that stopped answering while it was asked, a network in which three
 * did, everything after twenty. What it decided holds for the rest of the run, for another attempt too.
 */
export class Governor {
  readonly #stops = new Map<string, Stop>()
  readonly #networks: { readonly span: AddressSpan; readonly stop: Stop }[] = []
  readonly #harmed = new Map<string, number>()

  constructor(earlier: readonly Stop[] = []) {
    this.learn(earlier)
  }

  /** In the order in which they came. */
  get stops(): readonly Stop[] {
    return [...this.#stops.values()]
  }

  /** Without the devices that merely left. At most some twenty devices have it, and the networks of a target. */
  get harm(): readonly Stop[] {
    return this.stops.filter(({ isHarm }) => isHarm)
  }

  /** Why the address is not asked; undefined: it may be. */
  stopFor(address: string): string | undefined {
    if (this.#stops.size === 0) return undefined
    const found = this.#stops.get(address) ?? this.#stops.get('all')
    if (found) return found.reason
    const span = this.#networks.length > 0 ? spanOfAddress(address) : undefined
    const ofNetwork = span && this.#networks.find((it) => isPartOf(span, it.span))?.stop
    return ofNetwork && `${ofNetwork.at}: ${ofNetwork.reason}`
  }

  /** The device came to harm. Each counts once. */
  harmed(address: string, reason: string): void {
    if (!this.#add({ at: address, reason, isHarm: true })) return
    this.#count(networkOf(address), NETWORK_HARMED)
    this.#count('all', ALL_HARMED)
  }

  /** The device is gone, and nothing says that asking it was the cause: it is not asked, and does not count. */
  left(address: string, reason: string): void {
    this.#add({ at: address, reason, isHarm: false })
  }

  /** The network, in canonical form, or the path to it does not bear what is asked there. */
  stopNetwork(cidr: string, reason: string): void {
    this.#add({ at: cidr, reason, isHarm: true })
  }

  /** What another attempt, or the same scan elsewhere, has decided. */
  learn(stops: readonly Stop[]): void {
    for (const stop of stops)
      if (stop.isHarm && isIP(stop.at) > 0) this.harmed(stop.at, stop.reason)
      else this.#add(stop)
  }

  /** False when there is one already. */
  #add(stop: Stop): boolean {
    if (this.#stops.has(stop.at)) return false
    this.#stops.set(stop.at, stop)
    const span = spanOfNetwork(stop.at)
    if (span) this.#networks.push({ span, stop })
    return true
  }

  #count(at: string, most: number): void {
    const harmed = (this.#harmed.get(at) ?? 0) + 1
    this.#harmed.set(at, harmed)
    if (harmed >= most)
      this.#add({ at, reason: `${harmed} devices stopped answering while they were asked`, isHarm: true })
  }
}

const isPartOf = (inner: AddressSpan, outer: AddressSpan): boolean =>
  inner.family === outer.family && inner.first >= outer.first && inner.last <= outer.last

function networkOf(address: string): string {
  const network = parseNetwork(`${address}/${isIP(address) === 4 ? PREFIX[4] : PREFIX[6]}`)
  return typeof network === 'string' ? address : network.cidr
}
