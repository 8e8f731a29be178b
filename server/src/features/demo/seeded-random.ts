import { hash } from 'node:crypto'

/** A pseudo-random generator: the same sequence for the same path, independent of all other paths. */
export interface SeededRandom {
  /** An integer from 0 up to, not including, `bound`. */
  readonly below: (bound: number) => number
  readonly pick: <T>(from: readonly T[]) => T
  /** True with a probability of `chance` percent. */
  readonly percent: (chance: number) => boolean
  readonly hex: (digits: number) => string
  /** A version 4 UUID (RFC 9562). */
  readonly uuid: () => string
}

/** xoshiro128** 1.1 (Blackman and Vigna 2018), seeded with the first 16 bytes of the SHA-256 of the path. */
export function seededRandom(...path: readonly (string | number)[]): SeededRandom {
  const digest = hash('sha256', path.join('/'), 'buffer')
  const next = xoshiro128([0, 4, 8, 12].map((at) => digest.readUInt32LE(at)))
  const below = (bound: number): number => Math.floor((next() / UINT32) * bound)
  const hex = (digits: number): string => {
    let text = ''
    while (text.length < digits) text += next().toString(16).padStart(8, '0')
    return text.slice(0, digits)
  }
  return {
    below,
    hex,
    pick: (from) => from[below(from.length)]!,
    percent: (chance) => below(100) < chance,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'.charAt(below(4))}${hex(3)}-${hex(12)}`,
  }
}

const UINT32 = 2 ** 32

/** Returns 32-bit integers; the state is four 32-bit integers, not all zero. */
export function xoshiro128(state: readonly number[]): () => number {
  let [a = 0, b = 0, c = 0, d = 0] = state
  return () => {
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotateLeft(d, 11)
    return result
  }
}

const rotateLeft = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits))

/**
 * Permutes 0 … size-1: a linear congruence whose factor is coprime to the size. For serials and addresses that must
 * be unique.
 */
export const permuted = (number: number, size: number): number => (number * SCATTER + SCATTER_OFFSET) % size
/**
 * About 2^30 divided by the golden ratio, which spreads neighbours (Knuth, TAOCP 6.4); small enough that products
 * with a million are exact.
 */
const SCATTER = 663_608_941
const SCATTER_OFFSET = 7_919
