import { sha256 } from '../secrets/random-keys.ts'

/** One installation among several, each of which serves some of the tenants. */

export const CELL_MAX = 511
/** How many numbers of each sequence belong to a cell: a double holds integers for 512 cells. */
export const NUMBERS_EACH = 2 ** 44

/** `3=https://three.example.org` with commas between: where the cells are reached. */
export type CellAddresses = ReadonlyMap<number, string>

const CELL_DIGITS = 3
const CHECK_DIGITS = 8
const TAIL = CELL_DIGITS + CHECK_DIGITS

/**
 * A key of 64 hexadecimal digits that says in its last eleven of which cell it is: three digits, and eight that are of the
 * digits before. The other 53 stay random: 212 bits. A key that says nothing has such an end once in four billion.
 */
export function keyOfCell(random: string, cell: number | undefined): string {
  if (cell === undefined) return random
  const head = random.slice(0, -TAIL) + cell.toString(16).padStart(CELL_DIGITS, '0')
  return head + checkOf(head)
}

/** Undefined of a key that does not say it. */
export function cellOfKey(key: string): number | undefined {
  const head = key.slice(0, -CHECK_DIGITS)
  if (key.slice(-CHECK_DIGITS) !== checkOf(head)) return undefined
  const cell = Number.parseInt(head.slice(-CELL_DIGITS), 16)
  return cell <= CELL_MAX ? cell : undefined
}

const checkOf = (head: string): string =>
  sha256(`rollcall cell ${head}`).toString('hex').slice(0, CHECK_DIGITS)
