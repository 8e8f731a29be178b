import { inflateRawSync } from 'node:zlib'
import type { Machine } from '../machine.ts'
import { mavenIn, type Library } from './library-files.ts'

/** Reads a part of an archive, counted from its beginning. */
interface Archive {
  readonly size: number
  readonly at: (from: number, length: number) => Buffer
  /** How many entries more are looked at, in it and in those that lie in it together. */
  readonly left: { entries: number }
}

const END_BYTES_MAX = 66_000
const DIRECTORY_BYTES_MAX = 8 * 1_048_576
const ENTRIES_MAX = 100_000
const PROPERTIES_BYTES_MAX = 16_384
const NESTED_MAX = 500

/** What Maven wrote into an archive, and into those that lie in it uncompressed, as Spring Boot packs them. */
export async function mavenLibrariesIn(machine: Machine, path: string): Promise<Library[]> {
  const size = machine.size(path)
  if (size === undefined) return []
  const part = (from: number, length: number): Buffer => machine.part(path, from, length)
  try {
    return librariesOf({ size, at: part, left: { entries: ENTRIES_MAX } }, true)
  } catch {
    return [] // not an archive, or cut short
  }
}

function librariesOf(archive: Archive, isOuter: boolean): Library[] {
  const libraries: Library[] = []
  let nested = 0
  for (const entry of entriesOf(archive)) {
    const isNested = isOuter && entry.method === STORED && entry.name.endsWith('.jar')
    if (isNested && nested++ < NESTED_MAX) libraries.push(...nestedIn(archive, entry))
    if (/^META-INF\/maven\/[^/]+\/[^/]+\/pom\.properties$/.test(entry.name))
      libraries.push(...mavenIn(contentOf(archive, entry)))
  }
  return libraries
}

function nestedIn(archive: Archive, entry: Entry): Library[] {
  try {
    const start = dataOf(archive, entry)
    const at = (from: number, length: number): Buffer => archive.at(start + from, length)
    return librariesOf({ size: entry.size, at, left: archive.left }, false)
  } catch {
    return []
  }
}

interface Entry {
  readonly name: string
  readonly method: number
  /** As stored. */
  readonly size: number
  readonly header: number
}

const STORED = 0
const DEFLATED = 8
const END = Buffer.from('PK\u0005\u0006', 'latin1')
const END_BYTES = 22
const ENTRY_BYTES = 46
const HEADER_BYTES = 30

function* entriesOf({ size, at, left }: Archive): Generator<Entry> {
  const tailBytes = Math.min(size, END_BYTES_MAX)
  const tail = at(size - tailBytes, tailBytes)
  const end = tail.lastIndexOf(END)
  if (end < 0 || end + END_BYTES > tail.length) return
  const [bytes, from] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)]
  if (bytes > DIRECTORY_BYTES_MAX || from + bytes > size) return
  const directory = at(from, bytes)
  for (let place = 0; place + ENTRY_BYTES <= bytes && left.entries > 0; left.entries--) {
    const [name, extra, comment] = [28, 30, 32].map((it) => directory.readUInt16LE(place + it))
    const begin = place + ENTRY_BYTES
    yield {
      name: directory.toString('utf8', begin, begin + (name ?? 0)),
      method: directory.readUInt16LE(place + 10),
      size: directory.readUInt32LE(place + 20),
      header: directory.readUInt32LE(place + 42),
    }
    place = begin + (name ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
}

function dataOf({ at }: Archive, { header }: Entry): number {
  const own = at(header, HEADER_BYTES)
  return header + HEADER_BYTES + own.readUInt16LE(26) + own.readUInt16LE(28)
}

function contentOf(archive: Archive, entry: Entry): string {
  if (entry.size > PROPERTIES_BYTES_MAX) return ''
  const stored = archive.at(dataOf(archive, entry), entry.size)
  if (entry.method === STORED) return stored.toString('utf8')
  if (entry.method !== DEFLATED) return ''
  return inflateRawSync(stored, { maxOutputLength: PROPERTIES_BYTES_MAX }).toString('utf8')
}
