import type { OsRelease } from '#features/assets/observation.ts'
import { invalid } from '#platform/errors.ts'
import {
  attribute,
  elements,
  parseElement,
  textAt as textIn,
  textOf,
  type XmlElement,
} from '#platform/formats/xml-tree.ts'
import { documentOf, type Part } from '../parsing/bill-of-materials.ts'
import {
  firstSign,
  type Content,
  type DocumentFormat,
  type SoftwareDocument,
  type Subject,
} from './document.ts'
import { isObject, itemsOf, listAt, objectAt, textAt, topOf, type Fields } from '../parsing/json-document.ts'
import { xmlElements } from '../parsing/xml-elements.ts'

/** CycloneDX bills of materials, as JSON or XML, of any version of the specification. */
export const cyclonedx: DocumentFormat = {
  kind: 'cyclonedx',
  recognises: (head) =>
    /"bomFormat"\s*:\s*"CycloneDX"/.test(head) || /<(?:\w+:)?bom[^>]*cyclonedx\.org\/schema\/bom/.test(head),
  read: async (content) => ((await firstSign(content)) === '<' ? readXml(content) : readJson(content)),
}

/** Deeper is no bill of anything. */
const DEPTH_MAX = 32
const MACHINES = new Set(['device', 'operating-system', 'firmware'])

async function readJson(content: Content): Promise<SoftwareDocument> {
  const { keys, fields } = await topOf(content, ['bomFormat', 'metadata'])
  if (fields['bomFormat'] !== 'CycloneDX') throw invalid('file', 'is no CycloneDX bill of materials')
  const main = objectAt(objectAt(fields, 'metadata'), 'component')
  const components = keys.has('components') ? itemsOf(content, 'components') : none()
  return documentFrom(components, () => main)
}

async function* none(): AsyncIterable<never> {}

/** From the outermost components, in their order; `main` is asked when they were read. */
async function documentFrom(
  outermost: AsyncIterable<{ readonly index: number; readonly value: unknown }>,
  main: () => Fields,
): Promise<SoftwareDocument> {
  let release: OsRelease | undefined
  const parts = async function* (): AsyncIterable<Part> {
    for await (const { index, value } of outermost)
      for (const { place, fields } of withInner(value, `components[${index}]`, 0)) {
        if (fields['type'] === 'operating-system') release ??= releaseOf(fields)
        else if (fields['type'] !== 'file') yield partOf(place, fields)
      }
  }
  return documentOf(parts(), () => ({ subject: subjectOf(main()), release }))
}

function* withInner(
  value: unknown,
  place: string,
  depth: number,
): Iterable<{ readonly place: string; readonly fields: Fields }> {
  const fields = isObject(value) ? value : {}
  yield { place, fields }
  if (depth >= DEPTH_MAX) return
  for (const [index, each] of listAt(fields, 'components').entries())
    yield* withInner(each, `${place}.components[${index}]`, depth + 1)
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
    paths: pathsOf(fields),
  }
}

const PATHS_MAX = 20
/** Of Syft and Trivy, which say so in properties; the specification has a place for it since 1.5. */
const PATH_PROPERTY = /^(?:syft:location:\d+:path|aquasecurity:trivy:FilePath)$/

function pathsOf(fields: Fields): string[] {
  const properties = listAt(fields, 'properties').filter(isObject)
  const occurrences = listAt(objectAt(fields, 'evidence'), 'occurrences').filter(isObject)
  return [
    ...properties
      .filter((it) => PATH_PROPERTY.test(textAt(it, 'name') ?? ''))
      .flatMap((it) => textAt(it, 'value') ?? []),
    ...occurrences.flatMap((it) => textAt(it, 'location') ?? []),
  ].slice(0, PATHS_MAX)
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
async function readXml(content: Content): Promise<SoftwareDocument> {
  let main: Fields = {}
  const components = async function* (): AsyncIterable<{ index: number; value: Fields }> {
    let index = 0
    for await (const piece of xmlElements(content(), { name: 'component', nests: true })) {
      if (piece.piece === 'fault') throw invalid('file', `line ${piece.line}, ${piece.field}: ${piece.why}`)
      if (piece.piece === 'root') refuseOther(piece.text)
      else if (piece.around.join(' ') === 'bom metadata') main = componentOf(parsed(piece), 0)
      else if (piece.around.join(' ') === 'bom components')
        yield { index: index++, value: componentOf(parsed(piece), 0) }
    }
  }
  return documentFrom(components(), () => main)
}

function refuseOther(openingTag: string): void {
  if (!/^<bom[\s/>]/.test(openingTag)) throw invalid('file', 'is no CycloneDX bill of materials')
}

function parsed({ line, text }: { readonly line: number; readonly text: string }): XmlElement {
  try {
    return parseElement(text)
  } catch {
    throw invalid('file', `line ${line}: is not well-formed XML`)
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
    properties: elements(element, 'properties', 'property').map((it) => ({
      name: attribute(it, 'name'),
      value: textOf(it).trim(),
    })),
    evidence: {
      occurrences: elements(element, 'evidence', 'occurrences', 'occurrence').map((it) => ({
        location: textIn(it, 'location'),
      })),
    },
    components:
      depth < DEPTH_MAX
        ? elements(element, 'components', 'component').map((it) => componentOf(it, depth + 1))
        : [],
  }
}
