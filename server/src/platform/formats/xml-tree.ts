import { XMLParser } from 'fast-xml-parser'

/** An element: attributes under `@name`, text under `#text`, children under their names, one or several. */
export interface XmlElement {
  readonly [name: string]: string | XmlElement | readonly XmlElement[]
}

/**
 * Parses one element that declares nothing. Only the five predefined entities and character references mean
 * anything (XML 1.0, sections 4.1 and 4.6), so nothing can expand or be fetched. Throws when it is not well-formed.
 */
export function parseElement(text: string): XmlElement {
  if (NO_CHARACTER.test(text)) throw new Error('holds a character that XML does not allow')
  const parsed: Record<string, XmlElement> = parser.parse(text, true)
  return Object.values(parsed)[0]!
}

/** The elements at the end of the path, in the order of the file. */
export function elements(from: XmlElement, ...path: readonly string[]): XmlElement[] {
  return path.reduce((found, name) => found.flatMap((each) => childrenOf(each, name)), [from])
}

export const attribute = (element: XmlElement, name: string): string | undefined => {
  const value = element[`@${name}`]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export const textOf = (element: XmlElement): string => {
  const text = element['#text']
  return typeof text === 'string' ? text : ''
}

/** The text of the first element at the end of the path, without white space around it; undefined when there is none. */
export function textAt(from: XmlElement, ...path: readonly string[]): string | undefined {
  const found = elements(from, ...path)[0]
  const text = found && textOf(found).trim()
  return text === '' ? undefined : text
}

function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  const found = element[name]
  if (found === undefined || typeof found === 'string') return []
  return Array.isArray(found) ? found : [found as XmlElement]
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  alwaysCreateTextNode: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
  tagValueProcessor: (_, text) => decoded(text),
  attributeValueProcessor: (_, text) => decoded(text),
})

/** XML 1.0, production 2. */
const NO_CHARACTER = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u
const REFERENCE = /&(#x[0-9a-fA-F]+|#[0-9]+|[^;]*);?/g
const PREDEFINED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

const decoded = (text: string): string =>
  text.includes('&') ? text.replace(REFERENCE, (_, name: string) => characterOf(name)) : text

function characterOf(name: string): string {
  const known = PREDEFINED.get(name)
  if (known !== undefined) return known
  const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  if (!name.startsWith('#') || !isCharacter(code)) throw new Error(`refers to &${name.slice(0, 20)};`)
  return String.fromCodePoint(code)
}

const isCharacter = (code: number): boolean =>
  code <= 0x10ffff && !NO_CHARACTER.test(String.fromCodePoint(code))
