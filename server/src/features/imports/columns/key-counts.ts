import { hash } from 'node:crypto'

/** Hexadecimal digits: 48 bits. */
const KEY_DIGITS = 12
const SLOTS_FIRST = 4_096
/** Of the slots, so many are used before there are twice as many. */
const FULL = 0.6

/** Distinct keys of one file. With as many, the counts take 25 MB, and 38 MB while they grow for the last time. */
export const KEYS_MAX = 1_000_000

/**
 * Counts the occurrences of each key, in 20 to 40 bytes a key whatever its length and however often it occurs: a key is
 * known by 48 bits of its SHA-256. Among a million keys, two are taken for one with a chance of 1 in 500.
 */
export class KeyCounts {
  readonly #max: number
  /** Open addressing: the digest in each slot, 0 where it is free, and its count under the same index. */
  #digests = new Float64Array(SLOTS_FIRST)
  #counts = new Uint32Array(SLOTS_FIRST)
  #used = 0

  constructor(max = KEYS_MAX) {
    this.#max = max
  }

  /** Counts the key; answers its occurrences including this one, or undefined when it is one key too many. */
  count(key: string): number | undefined {
    const digest = Number.parseInt(hash('sha256', key).slice(0, KEY_DIGITS), 16) + 1
    if (this.#used > this.#digests.length * FULL) this.#grow()
    const slot = slotOf(digest, this.#digests)
    if (this.#digests[slot] === 0) {
      if (this.#used >= this.#max) return undefined
      this.#digests[slot] = digest
      this.#used++
    }
    return (this.#counts[slot] = (this.#counts[slot] ?? 0) + 1)
  }

  #grow(): void {
    const digests = new Float64Array(this.#digests.length * 2)
    const counts = new Uint32Array(digests.length)
    for (const [slot, digest] of this.#digests.entries()) {
      if (digest === 0) continue
      const next = slotOf(digest, digests)
      digests[next] = digest
      counts[next] = this.#counts[slot] ?? 0
    }
    this.#digests = digests
    this.#counts = counts
  }
}

/** The slot that holds the digest, or the free one where it belongs. */
function slotOf(digest: number, digests: Float64Array): number {
  let slot = digest % digests.length
  while (digests[slot] !== 0 && digests[slot] !== digest) slot = (slot + 1) % digests.length
  return slot
}
