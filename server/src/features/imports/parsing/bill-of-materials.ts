import type { InstalledSoftware, OsRelease } from '#features/assets/observation.ts'
import type * as software from '#features/software/software.ts'
import { hasControlCharacter } from '#platform/validation/control-characters.ts'
import type { Rejection } from '../formats/format.ts'
import { ENTRIES_MAX, shown, type SoftwareDocument, type Subject } from '../documents/document.ts'
import { markShipped } from './distribution-folders.ts'
import { Rejections } from '../running/rejections.ts'

/** One entry of a bill of materials, whichever its format; texts as they stand there. */
export interface Part {
  /** Where it stands, such as `components[3]`. */
  readonly place: string
  readonly line: number
  readonly name: unknown
  readonly version: unknown
  readonly vendor: unknown
  readonly purl: unknown
  readonly cpe: unknown
  /** Where its files lie, as far as the document says. */
  readonly paths?: readonly string[]
}

const NAME_LENGTH_MAX = 512

/** All parts that can be kept, and why the others cannot; `whose` is asked when all parts were read. */
export async function documentOf(
  parts: AsyncIterable<Part>,
  whose: () => { readonly subject?: Subject | undefined; readonly release?: OsRelease | undefined },
): Promise<SoftwareDocument> {
  // loaded here because it brings most of the server with it, which a thread that reads a table has no need of
  const identifiers = await import('#features/software/software.ts')
  const items: InstalledSoftware[] = []
  const paths = new Map<number, readonly string[]>()
  const rejections = new Rejections()
  for await (const part of parts) {
    const read: InstalledSoftware | Rejection =
      items.length < ENTRIES_MAX
        ? itemOf(part, identifiers)
        : { line: part.line, field: part.place, message: `is beyond the ${ENTRIES_MAX} that are taken` }
    if ('message' in read) rejections.add(read)
    else {
      if (part.paths && part.paths.length > 0) paths.set(items.length, part.paths)
      items.push(read)
    }
  }
  const of = whose()
  return {
    ...(of.subject && isText(of.subject.name) && { subject: of.subject }),
    report: {
      ...(of.release && { release: of.release }),
      complete: ['sbom'],
      items: markShipped(items, paths, identifiers),
    },
    rejections,
  }
}

/** Why it is not what lists show and a database stores. */
function wrongText(text: string): string | undefined {
  if (hasControlCharacter(text)) return 'holds a control character'
  return text.isWellFormed() ? undefined : 'is not valid Unicode'
}

const isText = (text: string): boolean => wrongText(text) === undefined

function itemOf(
  part: Part,
  { packageOfPurl, parseCpe, parsePurl }: typeof software,
): InstalledSoftware | Rejection {
  const wrong = (field: string, message: string): Rejection => ({
    line: part.line,
    field: `${part.place}.${field}`,
    message,
  })
  const { name, version, vendor, purl: address, cpe } = part
  if (typeof name !== 'string' || name.trim() === '') return wrong('name', 'is missing')
  if (name.length > NAME_LENGTH_MAX) return wrong('name', `is longer than ${NAME_LENGTH_MAX} characters`)
  if (version !== undefined && typeof version !== 'string') return wrong('version', 'is no text')
  for (const [field, text = ''] of Object.entries({ name, version })) {
    const why = wrongText(text)
    if (why !== undefined) return wrong(field, why)
  }
  const purl = typeof address === 'string' ? parsePurl(address) : undefined
  if (address !== undefined && !purl)
    return wrong(
      'purl',
      `is no package URL: ${shown(typeof address === 'string' ? address : typeof address)}`,
    )
  if (purl && ![purl.namespace, purl.name, purl.version].every(isText))
    return wrong('purl', 'stands for what is no text')
  const isCpe = typeof cpe === 'string' && parseCpe(cpe) !== undefined
  return {
    origin: 'sbom',
    name,
    version: version ?? '',
    ...(typeof vendor === 'string' && vendor !== '' && isText(vendor) && { vendor }),
    ...(purl && typeof address === 'string' && { purl: address, ...packageOfPurl(purl) }),
    ...(isCpe && { cpe }),
  }
}
