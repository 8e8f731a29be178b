import type { Place } from './sweep-progress.ts'

/** Ranges of so many addresses are sampled first; a smaller one is through before that could help. */
const SAMPLED_FROM = 2_048

/**
 * The last octets that are asked first in each network of 256 addresses. Gateways and servers stand at round numbers and at
 * both ends, addresses that are dealt out begin at 10, 50, 100, 129 or 150.
 */
const SAMPLE = [1, 254, 2, 10, 100, 20, 50, 200, 5, 11, 101, 150, 30, 250, 129, 65] as const

/** 256 addresses side by side, as far as the range has them. */
interface Part {
  readonly sample: Place[]
  readonly rest: Place[]
}

/**
 * In which order the addresses of a range are asked. Of a large one each network of 256 addresses is sampled, then those
 * in which something lives are swept whole, and the others after them: every address is asked in the end, and where
 * machines are is known early. A smaller range is asked from its first address to its last.
 */
export class SampledOrder implements Iterable<Place> {
  readonly #places: readonly Place[]
  /** In the order of their addresses, those alone of which the sweep of the rest has not begun. */
  readonly #waiting: Map<string, Part>
  readonly #live = new Set<string>()
  #isSampled = false

  /**
   * `isKnown` tells live hosts that an earlier attempt found. Where it knows one of the sample, that attempt was past the
   * sample: this one goes from address to address, so that what it has settled grows however often it is interrupted.
   */
  constructor(places: readonly Place[], isKnown: (address: string) => boolean = () => false) {
    this.#places = places
    const parts = places.length < SAMPLED_FROM ? new Map<string, Part>() : partsOf(places)
    const goesOn = [...parts.values()].some(({ sample }) => sample.some(({ address }) => isKnown(address)))
    this.#waiting = goesOn ? new Map() : parts
  }

  /** Something lives at the address: its neighbours are asked before those networks in which nothing answered. */
  noteLive(address: string): void {
    const { network } = split(address)
    if (this.#waiting.has(network)) this.#live.add(network)
  }

  /** Networks of which only the sample was asked so far. */
  get sampledOnly(): number {
    return this.#isSampled ? this.#waiting.size : 0
  }

  *[Symbol.iterator](): Generator<Place> {
    const places = this.#places
    if (this.#waiting.size === 0) return yield* places
    const parts = [...this.#waiting.values()]
    // one address of each network after the other, so that no network is asked many at once
    for (const at of SAMPLE.keys())
      for (const { sample } of parts) {
        const place = sample[at]
        if (place) yield place
      }
    this.#isSampled = true
    for (let part = this.#next(); part; part = this.#next()) yield* part.rest
  }

  /** Takes the first network in which something lives, else the first. */
  #next(): Part | undefined {
    const [network = ''] = this.#live.size > 0 ? this.#live : this.#waiting.keys()
    const part = this.#waiting.get(network)
    this.#live.delete(network)
    this.#waiting.delete(network)
    return part
  }
}

function partsOf(places: readonly Place[]): Map<string, Part> {
  const parts = new Map<string, Part>()
  for (const place of places) {
    const { network, octet } = split(place.address)
    const part = parts.get(network) ?? { sample: [], rest: [] }
    parts.set(network, part)
    const isSample = (SAMPLE as readonly number[]).includes(octet)
    ;(isSample ? part.sample : part.rest).push(place)
  }
  for (const { sample } of parts.values()) sample.sort((a, b) => rankOf(a) - rankOf(b))
  return parts
}

const rankOf = ({ address }: Place): number => (SAMPLE as readonly number[]).indexOf(split(address).octet)

/** The last eight bits of an address, and what stands before them. */
function split(address: string): { readonly network: string; readonly octet: number } {
  const at = Math.max(address.lastIndexOf('.'), address.lastIndexOf(':')) + 1
  const last = address.includes(':')
    ? Number.parseInt(address.slice(at) || '0', 16)
    : Number(address.slice(at))
  return { network: `${address.slice(0, at)}${last >> 8}`, octet: last & 0xff }
}
