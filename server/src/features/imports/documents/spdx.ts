import { invalid } from '#platform/errors.ts'
import { documentOf, type Part } from '../bill.ts'
import type { DocumentFormat, SoftwareDocument } from './document.ts'
import { isObject, listAt, objectIn, textAt, type Fields } from '../json-document.ts'

/** SPDX 2 documents, as JSON or as tags and values. */
export const spdx: DocumentFormat = {
  kind: 'spdx',
  recognises: (head) => /"spdxVersion"\s*:\s*"SPDX-2/.test(head) || /^SPDXVersion:\s*SPDX-2/m.test(head),
  read: (text) => (text.trimStart().startsWith('{') ? readJson(objectIn(text)) : readTags(text)),
}

function readJson(document: Fields): SoftwareDocument {
  if (!textAt(document, 'spdxVersion')?.startsWith('SPDX-2'))
    throw invalid('file', 'is no document of SPDX 2')
  const packages = listAt(document, 'packages')
  const described = describedIn(document)
  const parts = packages.flatMap((each, index): Part[] => {
    const fields = isObject(each) ? each : {}
    const isSubject = described.has(textAt(fields, 'SPDXID') ?? '')
    return isSubject && packages.length > 1 ? [] : [partOf(`packages[${index}]`, fields)]
  })
  const subject = packages.find((each) => isObject(each) && described.has(textAt(each, 'SPDXID') ?? ''))
  const name = (isObject(subject) ? textAt(subject, 'name') : undefined) ?? textAt(document, 'name')
  return documentOf(parts, { subject: name === undefined ? undefined : { name, isMachine: false } })
}

/** The packages that the document is about. */
function describedIn(document: Fields): ReadonlySet<string> {
  const listed = listAt(document, 'documentDescribes').filter((it) => typeof it === 'string')
  const related = listAt(document, 'relationships').flatMap((each) => {
    if (!isObject(each) || each['relationshipType'] !== 'DESCRIBES') return []
    return textAt(each, 'relatedSpdxElement') ?? []
  })
  return new Set([...listed, ...related])
}

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
  }
}

const organisationIn = (supplier: string | undefined): string | undefined =>
  /^Organization:\s*([^()]+)/.exec(supplier ?? '')?.[1]?.trim()

function readTags(text: string): SoftwareDocument {
  if (!/^SPDXVersion:\s*SPDX-2/m.test(text)) throw invalid('file', 'is no document of SPDX 2')
  const found: TagPart[] = []
  let subject: string | undefined
  for (const { line, tag, value } of tagsIn(text)) {
    const part = found.at(-1)
    if (tag === 'DocumentName') subject = value
    else if (tag === 'PackageName') found.push({ line, name: value })
    else if (part) addTag(part, tag, value)
  }
  const parts = found.map((tags, index): Part => partOfTags(`package ${index + 1}`, tags))
  return documentOf(parts, {
    subject: subject === undefined ? undefined : { name: subject, isMachine: false },
  })
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
function* tagsIn(text: string): Iterable<{ line: number; tag: string; value: string }> {
  let isInText = false
  for (const [index, content] of text.split('\n').entries()) {
    if (isInText) {
      isInText = !content.includes('</text>')
      continue
    }
    const colon = content.indexOf(':')
    if (colon < 1) continue
    const value = content.slice(colon + 1).trim()
    isInText = value.startsWith('<text>') && !value.includes('</text>')
    yield { line: index + 1, tag: content.slice(0, colon).trim(), value }
  }
}
