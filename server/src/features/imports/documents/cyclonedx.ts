import type { OsRelease } from '#features/assets/observation.ts'
import { invalid } from '#platform/errors.ts'
import { attribute, elements, parseElement, textAt as textIn, type XmlElement } from '#platform/xml-tree.ts'
import { documentOf, type Part } from '../bill.ts'
import type { DocumentFormat, SoftwareDocument, Subject } from './document.ts'
import { isObject, listAt, objectAt, objectIn, textAt, type Fields } from '../json-document.ts'

/** CycloneDX bills of materials, as JSON or XML, of any version of the specification. */
export const cyclonedx: DocumentFormat = {
  kind: 'cyclonedx',
  recognises: (head) =>
    /"bomFormat"\s*:\s*"CycloneDX"/.test(head) || /<(?:\w+:)?bom[^>]*cyclonedx\.org\/schema\/bom/.test(head),
  read: (text) => read(text.trimStart().startsWith('<') ? bomOfXml(text) : objectIn(text)),
}

/** Deeper is no bill of anything. */
const DEPTH_MAX = 32
const MACHINES = new Set(['device', 'operating-system', 'firmware'])

function read(bom: Fields): SoftwareDocument {
  if (bom['bomFormat'] !== 'CycloneDX') throw invalid('file', 'is no CycloneDX bill of materials')
  const main = objectAt(objectAt(bom, 'metadata'), 'component')
  const components = [...componentsOf(listAt(bom, 'components'), 'components', 0)]
  const system = components.find(({ fields }) => fields['type'] === 'operating-system')?.fields
  const parts = components
    .filter(({ fields }) => fields['type'] !== 'operating-system' && fields['type'] !== 'file')
    .map(({ place, fields }) => partOf(place, fields))
  return documentOf(parts, { subject: subjectOf(main), release: system && releaseOf(system) })
}

function* componentsOf(
  list: readonly unknown[],
  path: string,
  depth: number,
): Iterable<{ readonly place: string; readonly fields: Fields }> {
  for (const [index, each] of list.entries()) {
    const place = `${path}[${index}]`
    const fields = isObject(each) ? each : {}
    yield { place, fields }
    if (depth < DEPTH_MAX) yield* componentsOf(listAt(fields, 'components'), `${place}.components`, depth + 1)
  }
}

function partOf(place: string, fields: Fields): Part {
  const group = textAt(fields, 'group')
  const name = fields['name']
  return {
    place,
    line: 1,
    name: group === undefined || typeof name !== 'string' ? name : `${group}/${name}`,
    version: fields['version'],
    vendor: textAt(objectAt(fields, 'supplier'), 'name') ?? textAt(fields, 'publisher'),
    purl: fields['purl'],
    cpe: fields['cpe'],
  }
}

function subjectOf(main: Fields): Subject | undefined {
  const name = textAt(main, 'name')
  return name === undefined ? undefined : { name, isMachine: MACHINES.has(textAt(main, 'type') ?? '') }
}

function releaseOf(system: Fields): OsRelease | undefined {
  const [id, versionId] = [textAt(system, 'name')?.toLowerCase(), textAt(system, 'version')]
  if (id === undefined || versionId === undefined) return undefined
  const prettyName = textAt(system, 'description')
  return { id, versionId, ...(prettyName !== undefined && { prettyName }) }
}

/** The elements of the XML form, in the shape of the JSON form. */
function bomOfXml(text: string): Fields {
  if (/<!DOCTYPE/i.test(text)) throw invalid('file', 'declares a document type, which is not read')
  const bom = bomElement(text)
  const [main] = elements(bom, 'metadata', 'component')
  return {
    bomFormat: 'CycloneDX',
    metadata: main ? { component: componentOf(main, 0) } : {},
    components: elements(bom, 'components', 'component').map((each) => componentOf(each, 0)),
  }
}

function bomElement(text: string): XmlElement {
  try {
    return parseElement(text.replace(/^\s*<\?xml[^>]*\?>/, '').trim())
  } catch {
    throw invalid('file', 'is not well-formed XML')
  }
}

function componentOf(element: XmlElement, depth: number): Fields {
  const supplier = textIn(element, 'supplier', 'name')
  return {
    type: attribute(element, 'type'),
    group: textIn(element, 'group'),
    name: textIn(element, 'name'),
    version: textIn(element, 'version'),
    description: textIn(element, 'description'),
    publisher: textIn(element, 'publisher'),
    ...(supplier !== undefined && { supplier: { name: supplier } }),
    purl: textIn(element, 'purl'),
    cpe: textIn(element, 'cpe'),
    components:
      depth < DEPTH_MAX
        ? elements(element, 'components', 'component').map((it) => componentOf(it, depth + 1))
        : [],
  }
}
