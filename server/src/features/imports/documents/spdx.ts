import { invalid } from '#platform/errors.ts'
import { documentOf, type Part } from '../parsing/bill-of-materials.ts'
import { linesOf } from '../parsing/csv-records.ts'
import { firstSign, type Content, type DocumentFormat, type SoftwareDocument } from './document.ts'
import { isObject, itemsOf, listAt, textAt, topOf, type Fields } from '../parsing/json-document.ts'

/** SPDX 2 documents, as JSON or as tags and values. */
export const spdx: DocumentFormat = {
  kind: 'spdx',
  recognises: (head) => /"spdxVersion"\s*:\s*"SPDX-2/.test(head) || /^SPDXVersion:\s*SPDX-2/m.test(head),
  read: async (content) => ((await firstSign(content)) === '{' ? readJson(content) : readTags(content)),
}

async function readJson(content: Content): Promise<SoftwareDocument> {
  const { keys, fields } = await topOf(content, ['spdxVersion', 'name', 'documentDescribes'])
  if (!textAt(fields, 'spdxVersion')?.startsWith('SPDX-2')) throw invalid('file', 'is no document of SPDX 2')
  const described = new Set(listAt(fields, 'documentDescribes'))
  if (keys.has('relationships'))
    for await (const { value } of itemsOf(content, 'relationships'))
      if (isObject(value) && value['relationshipType'] === 'DESCRIBES' && described.size < DESCRIBED_MAX)
        described.add(value['relatedSpdxElement'])
  let name: string | undefined
  const parts = async function* (): AsyncIterable<Part> {
    let count = 0
    let subject: Part | undefined
    for await (const { index, value } of itemsOf(content, 'packages')) {
      count++
      const item = isObject(value) ? value : {}
      const part = partOf(`packages[${index}]`, item)
      if (!described.has(textAt(item, 'SPDXID'))) yield part
      else if (name === undefined) {
        subject = part
        name = textAt(item, 'name')
      }
    }
    // a document of one package alone lists what it is about
    if (subject && count === 1) yield subject
  }
  return documentOf(keys.has('packages') ? parts() : none(), () =>
    subjectNamed(name ?? textAt(fields, 'name')),
  )
}

/** Packages that a document may be about. */
const DESCRIBED_MAX = 10_000

async function* none(): AsyncIterable<never> {}

const subjectNamed = (name: string | undefined) => ({
  subject: name === undefined ? undefined : { name, isMachine: false },
})

function partOf(place: string, fields: Fields): Part {
  const references = listAt(fields, 'externalRefs').filter(isObject)
  const locator = (type: string) =>
    references.find((it) => it['referenceType'] === type)?.['referenceLocator']
  return {
    place,
    line: 1,
    name: fields['name'],
    version: fields['versionInfo'],
    vendor: organisationIn(textAt(fields, 'supplier')),
    purl: locator('purl'),
    cpe: locator('cpe23Type') ?? locator('cpe22Type'),
    paths: pathsIn(textAt(fields, 'sourceInfo')),
  }
}

/** Syft: `acquired package info from installed python package manifest file: /usr/lib/…/METADATA, /usr/…`. */
const pathsIn = (sourceInfo: string | undefined): readonly string[] =>
  /:\s*(\/\S.*)$/s
    .exec(sourceInfo ?? '')?.[1]
    ?.split(/,\s*/)
    .slice(0, PATHS_MAX) ?? []

const PATHS_MAX = 20

const organisationIn = (supplier: string | undefined): string | undefined =>
  /^Organization:\s*([^()]+)/.exec(supplier ?? '')?.[1]?.trim()

async function readTags(content: Content): Promise<SoftwareDocument> {
  let isSpdx = false
  let subject: string | undefined
  const parts = async function* (): AsyncIterable<Part> {
    let tags: TagPart | undefined
    let count = 0
    for await (const { line, tag, value } of tagsIn(content())) {
      if (tag === 'SPDXVersion') isSpdx ||= value.startsWith('SPDX-2')
      else if (tag === 'DocumentName') subject = value
      else if (tag === 'PackageName') {
        if (tags) yield partOfTags(`package ${++count}`, tags)
        tags = { line, name: value }
      } else if (tags) addTag(tags, tag, value)
    }
    if (tags) yield partOfTags(`package ${++count}`, tags)
  }
  const document = await documentOf(parts(), () => subjectNamed(subject))
  if (!isSpdx) throw invalid('file', 'is no document of SPDX 2')
  return document
}

interface TagPart {
  readonly line: number
  readonly name: string
  version?: string
  vendor?: string
  purl?: string
  cpe?: string
}

const partOfTags = (place: string, { line, name, version, vendor, purl, cpe }: TagPart): Part => ({
  place,
  line,
  name,
  version,
  vendor,
  purl,
  cpe,
})

function addTag(part: TagPart, tag: string, value: string): void {
  const [, type, locator] = /^\S+\s+(\S+)\s+(\S+)/.exec(value) ?? []
  const vendor = organisationIn(value)
  if (tag === 'PackageVersion') part.version = value
  else if (tag === 'PackageSupplier' && vendor !== undefined) part.vendor = vendor
  else if (tag === 'ExternalRef' && type === 'purl' && locator !== undefined) part.purl = locator
  else if (tag === 'ExternalRef' && /^cpe2[23]Type$/.test(type ?? '') && locator !== undefined)
    part.cpe = locator
}

/** Values in `<text>` may have several lines; none of them matters here. */
async function* tagsIn(
  content: AsyncIterable<Buffer>,
): AsyncIterable<{ line: number; tag: string; value: string }> {
  let isInText = false
  for await (const line of linesOf(content)) {
    if (isInText) {
      isInText = !line.text.includes('</text>')
      continue
    }
    const colon = line.text.indexOf(':')
    if (colon < 1) continue
    const value = line.text.slice(colon + 1).trim()
    isInText = value.startsWith('<text>') && !value.includes('</text>')
    yield { line: line.number, tag: line.text.slice(0, colon).trim(), value }
  }
}
