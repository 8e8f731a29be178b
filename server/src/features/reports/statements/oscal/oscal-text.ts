/** Ids and texts as OSCAL takes them. */

/** Of the properties that OSCAL has no name for. */
const NAMESPACE = 'urn:rollcall:oscal'
export const OSCAL_VERSION = '1.2.1'

export interface Property {
  readonly name: string
  readonly value: string
  readonly ns?: string
}

/**
 * The id of a control as NIST writes it in its catalogues: lower case, enhancements behind a dot (`CM-8(3)` is
 * `cm-8.3`). Ids that begin with a number have the name of their framework before them (`cis-1.1`).
 */
export function oscalId(framework: string, controlId: string): string {
  const id = controlId
    .toLowerCase()
    .replaceAll(/[()]+/g, '.')
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replace(/[.-]+$/, '')
  return /^[\p{L}_]/u.test(id) ? id : `${framework.split('-')[0]}-${id}`
}

/** Without line breaks, for values of properties and names. Empty becomes `-`, since OSCAL has no empty text. */
export const oneLine = (text: string): string => text.toWellFormed().replaceAll(/\s+/gu, ' ').trim() || '-'

/** Plain text in a field that is read as Markdown. */
export const markup = (text: string): string =>
  text
    .toWellFormed()
    .trim()
    .replaceAll(/[\\`*_{}[\]<>$^~]/g, String.raw`\$&`)

/** Those that say something, as properties of ours. */
export const properties = (values: Readonly<Record<string, string>>): Property[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value.trim() === '' ? [] : [{ name, ns: NAMESPACE, value: oneLine(value) }],
  )
