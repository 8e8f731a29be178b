/** A set of UUIDs in 16 bytes each, which single ones come into and go out of. */
export interface IdSet {
  readonly size: () => number
  /** Of `asked`, those of `now` are in the set from now on, and the others are not. */
  readonly update: (asked: readonly string[], now: ReadonlySet<string>) => void
  /** In no order. */
  readonly ids: () => readonly string[]
  readonly bytes: () => number
}

const WIDTH = 16
/** Of an entry of a map with its text, roughly. */
const BYTES_OF_CHANGE = 150

/** `sorted` holds the ids one after the other, ascending. */
export function idSet(sorted: Buffer): IdSet {
  /** Ids that are, or are not, in the set otherwise than `sorted` says. */
  const changes = new Map<string, boolean>()
  let size = sorted.length / WIDTH
  return {
    size: () => size,
    update(asked, now) {
      for (const id of asked) {
        const wasSorted = has(sorted, id)
        const was = changes.get(id) ?? wasSorted
        const is = now.has(id)
        if (is !== was) size += is ? 1 : -1
        if (is === wasSorted) changes.delete(id)
        else changes.set(id, is)
      }
    },
    ids() {
      const came = [...changes].flatMap(([id, is]) => (is ? [id] : []))
      const count = sorted.length / WIDTH
      return Array.from({ length: count }, (_, at) => textAt(sorted, at))
        .filter((id) => changes.get(id) ?? true)
        .concat(came)
    },
    bytes: () => sorted.length + changes.size * BYTES_OF_CHANGE,
  }
}

function has(sorted: Buffer, id: string): boolean {
  const wanted = Buffer.from(id.replaceAll('-', ''), 'hex')
  let [from, to] = [0, sorted.length / WIDTH]
  while (from < to) {
    const middle = (from + to) >>> 1
    const order = sorted.compare(wanted, 0, WIDTH, middle * WIDTH, (middle + 1) * WIDTH)
    if (order === 0) return true
    if (order < 0) from = middle + 1
    else to = middle
  }
  return false
}

function textAt(sorted: Buffer, at: number): string {
  const hex = sorted.toString('hex', at * WIDTH, (at + 1) * WIDTH)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
