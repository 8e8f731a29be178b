import { hash } from 'node:crypto'

const KEY_BYTES = 6
const SLOTS_FIRST = 4_096
/** Of the slots, so many are used before there are twice as many. */
const FULL = 0.6

/**
 * How often each key has come, in 14 to 27 bytes a key whatever its length: of a key 48 bits of its SHA-256 are kept.
 * Among a million keys, two are taken for one with a chance of 1 in 500.
 */
export class KeyCounts {
  /** Open addressing; 0 is free. */
  #slots = new Float64Array(SLOTS_FIRST)
  #used = 0
  readonly #again = new Map<number, number>()

  /** Counts the key; answers how often it has come, this time included. */
  count(key: string): number {
    const digest = hash('sha256', key, 'buffer').readUIntBE(0, KEY_BYTES) + 1
    if (this.#add(digest)) return 1
    const times = (this.#again.get(digest) ?? 1) + 1
    this.#again.set(digest, times)
    return times
  }

  /** False when it is there. */
  #add(digest: number): boolean {
    if (this.#used > this.#slots.length * FULL) this.#grow()
    const place = placeOf(digest, this.#slots)
    if (this.#slots[place] === digest) return false
    this.#slots[place] = digest
    this.#used++
    return true
  }

  #grow(): void {
    const more = new Float64Array(this.#slots.length * 2)
    for (const digest of this.#slots) if (digest !== 0) more[placeOf(digest, more)] = digest
    this.#slots = more
  }
}

/** Where the digest is, or would be. */
function placeOf(digest: number, slots: Float64Array): number {
  let place = digest % slots.length
  while (slots[place] !== 0 && slots[place] !== digest) place = (place + 1) % slots.length
  return place
}
