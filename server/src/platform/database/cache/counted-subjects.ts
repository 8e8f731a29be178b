/** How many matches each subject has, in 20 bytes for each subject that has any. */
export interface CountedSubjects {
  /** The number of matches of all subjects together. */
  readonly total: () => number
  /** Replaces the counts of the subjects `asked` by those in `now`; a subject without an entry there has none. */
  readonly update: (asked: readonly string[], now: ReadonlyMap<string, number>) => void
  /** The ids of those that have any, in no order; undefined where these are more than `most`. */
  readonly ids: (most: number) => readonly string[] | undefined
  readonly bytes: () => number
}

const ID_BYTES = 16
/** An id and the number of its matches, big-endian. */
const WIDTH = ID_BYTES + 4
/** Rough size of an entry of a map with its text. */
const BYTES_OF_CHANGE = 150

/** `sorted` holds ids with their counts one after the other, ascending. */
export function countedSubjects(sorted: Buffer): CountedSubjects {
  /** Counts that differ from `sorted`. */
  const changes = new Map<string, number>()
  const length = sorted.length / WIDTH
  let size = length
  let total = 0
  for (let at = 0; at < length; at += 1) total += countAt(sorted, at)
  return {
    total: () => total,
    update(asked, now) {
      for (const id of asked) {
        const stored = countOf(sorted, id)
        const was = changes.get(id) ?? stored
        const is = now.get(id) ?? 0
        total += is - was
        size += Math.sign(is) - Math.sign(was)
        if (is === stored) changes.delete(id)
        else changes.set(id, is)
      }
    },
    ids(most) {
      if (size > most) return undefined
      const came = [...changes].flatMap(([id, count]) => (count > 0 ? [id] : []))
      return Array.from({ length }, (_, at) => textAt(sorted, at))
        .filter((id) => !changes.has(id))
        .concat(came)
    },
    bytes: () => sorted.length + changes.size * BYTES_OF_CHANGE,
  }
}

const countAt = (sorted: Buffer, at: number): number => sorted.readUInt32BE(at * WIDTH + ID_BYTES)

function countOf(sorted: Buffer, id: string): number {
  const wanted = Buffer.from(id.replaceAll('-', ''), 'hex')
  let [from, to] = [0, sorted.length / WIDTH]
  while (from < to) {
    const middle = (from + to) >>> 1
    const order = sorted.compare(wanted, 0, ID_BYTES, middle * WIDTH, middle * WIDTH + ID_BYTES)
    if (order === 0) return countAt(sorted, middle)
    if (order < 0) from = middle + 1
    else to = middle
  }
  return 0
}

function textAt(sorted: Buffer, at: number): string {
  const hex = sorted.toString('hex', at * WIDTH, at * WIDTH + ID_BYTES)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
