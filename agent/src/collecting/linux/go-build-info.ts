import type { Machine } from '../machine.ts'
import type { Library } from './library-files.ts'

/** Programs of Go are larger, and small files are not worth a look. */
const BYTES_MIN = 500_000
const SECTIONS_MAX = 1_000
const NAMES_BYTES_MAX = 65_536
const INFO_BYTES_MAX = 1_048_576

/** The modules that a program of Go was built from, which stand in it, and the standard library. */
export function goModulesIn(machine: Machine, path: string): Library[] {
  const size = machine.size(path)
  if (size === undefined || size < BYTES_MIN) return []
  try {
    const read = (from: number, length: number): Buffer => machine.part(path, from, length)
    const section = buildInfoIn(read)
    if (!section) return []
    return modulesOf(read(section.from, Math.min(section.length, INFO_BYTES_MAX, size - section.from)))
  } catch {
    return [] // not such a program, or cut short
  }
}

type Read = (from: number, length: number) => Buffer

const ELF64_LITTLE_ENDIAN = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1])
const ELF_HEADER_BYTES = 64

/** Where the section `.go.buildinfo` of an ELF file of 64 bits lies. */
function buildInfoIn(read: Read): { readonly from: number; readonly length: number } | undefined {
  const header = read(0, ELF_HEADER_BYTES)
  if (!header.subarray(0, ELF64_LITTLE_ENDIAN.length).equals(ELF64_LITTLE_ENDIAN)) return undefined
  const [bytes, count, ofNames] = [0x3a, 0x3c, 0x3e].map((at) => header.readUInt16LE(at))
  if (bytes === undefined || count === undefined || ofNames === undefined) return undefined
  if (bytes < ELF_HEADER_BYTES || count > SECTIONS_MAX || ofNames >= count) return undefined
  const table = read(Number(header.readBigUInt64LE(0x28)), bytes * count)
  const placeOf = (at: number) => ({
    from: Number(table.readBigUInt64LE(at * bytes + 0x18)),
    length: Number(table.readBigUInt64LE(at * bytes + 0x20)),
  })
  const names = placeOf(ofNames)
  const text = read(names.from, Math.min(names.length, NAMES_BYTES_MAX)).toString('latin1')
  const at = Array.from({ length: count }, (_, index) => index).find((index) =>
    text.startsWith('.go.buildinfo\0', table.readUInt32LE(index * bytes)),
  )
  return at === undefined ? undefined : placeOf(at)
}

const MAGIC = Buffer.from('\u00ff Go buildinf:', 'latin1')
/** Set since Go 1.18: the texts follow, each behind its length; before, pointers do. */
const INLINE = 2
const TEXTS_AT = 32
/** Around the list of modules stand marks of this length. */
const MARK_BYTES = 16

function modulesOf(info: Buffer): Library[] {
  if (!info.subarray(0, MAGIC.length).equals(MAGIC) || ((info[15] ?? 0) & INLINE) === 0) return []
  const version = textAt(info, TEXTS_AT)
  const list = textAt(info, version.end)
  const standard = /^go(\d+\.\d+(?:\.\d+)?(?:(?:rc|beta)\d+)?)/.exec(version.text)?.[1]
  return [
    ...(standard === undefined
      ? []
      : [{ type: 'golang', name: 'stdlib', version: standard } satisfies Library]),
    ...dependenciesIn(list.text.slice(MARK_BYTES, -MARK_BYTES)),
  ]
}

/** A text behind its length, as a number of seven bits in each byte. */
function textAt(info: Buffer, from: number): { readonly text: string; readonly end: number } {
  let [length, at, shift] = [0, from, 0]
  for (;;) {
    const byte = info[at++]
    if (byte === undefined || shift > 28) throw new Error('the build information ends too soon')
    length += (byte & 0x7f) * 2 ** shift
    shift += 7
    if (byte < 0x80) break
  }
  if (at + length > info.length) throw new Error('the build information ends too soon')
  return { text: info.toString('utf8', at, at + length), end: at + length }
}

/** `dep`, module, version; `=>` in the line after it is what took its place. */
function dependenciesIn(list: string): Library[] {
  const found: Library[] = []
  for (const line of list.split('\n')) {
    const [kind, name = '', version = ''] = line.split('\t')
    if (kind === '=>') found.pop()
    if (kind !== 'dep' && kind !== 'mod' && kind !== '=>') continue
    // kept, so that what takes its place takes away this one and no other
    found.push({ type: 'golang', name, version })
  }
  return found.filter(({ name, version }) => name !== '' && /^v\d/.test(version))
}
