import { hash } from 'node:crypto'

/** A stream of draws that is always the same for the same path, and independent of every other path. */
export interface SeededRandom {
  /** A whole number from 0, less than `bound`. */
  readonly below: (bound: number) => number
  readonly pick: <T>(from: readonly T[]) => T
  /** True so many times of a hundred. */
  readonly percent: (chance: number) => boolean
  readonly hex: (digits: number) => string
  /** A version 4 UUID (RFC 9562). */
  readonly uuid: () => string
}

/** xoshiro128** 1.1 (Blackman and Vigna 2018), its state the beginning of the SHA-256 of the path. */
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

/** Whole numbers of 32 bits; four such numbers, not all zero, are the state. */
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
 * Numbers 0 … size-1 in an order that looks like none: every number once (a linear congruence, whose factor shares
 * no divisor with the size). For serials and addresses that must not repeat.
 */
export const permuted = (number: number, size: number): number => (number * SCATTER + SCATTER_OFFSET) % size
/** About 2^30 over the golden ratio, which spreads neighbours (Knuth, TAOCP 6.4), and small enough that products with a million stay exact. */
const SCATTER = 663_608_941
const SCATTER_OFFSET = 7_919
