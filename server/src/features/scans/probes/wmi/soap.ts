import { randomUUID } from 'node:crypto'
import { attribute, parseElement, textOf, type XmlElement } from '#platform/formats/xml-tree.ts'

/** Envelopes of WS-Management (DSP0226) as Windows wants them ([MS-WSMV]). */

export interface Request {
  readonly to: string
  readonly resource: string
  readonly action: string
  readonly body: string
  /** Elements of the header that only this operation has. */
  readonly header?: string
}

export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`)

export function envelope({ to, resource, action, body, header = '' }: Request): string {
  return `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:a="http://schemas.xmlsoap.org/ws/2004/08/addressing" xmlns:n="http://schemas.xmlsoap.org/ws/2004/09/enumeration" xmlns:w="http://schemas.dmtf.org/wbem/wsman/1/wsman.xsd">
<s:Header><a:To>${escaped(to)}</a:To>
<w:ResourceURI s:mustUnderstand="true">${escaped(resource)}</w:ResourceURI>
<a:ReplyTo><a:Address s:mustUnderstand="true">http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous</a:Address></a:ReplyTo>
<a:Action s:mustUnderstand="true">${escaped(action)}</a:Action>
<w:MaxEnvelopeSize s:mustUnderstand="true">${ENVELOPE_SIZE_MAX}</w:MaxEnvelopeSize>
<a:MessageID>uuid:${randomUUID()}</a:MessageID>
<w:Locale xml:lang="en-US" s:mustUnderstand="false"/>
<w:OperationTimeout>PT${OPERATION_TIMEOUT_S}S</w:OperationTimeout>${header}</s:Header>
<s:Body>${body}</s:Body></s:Envelope>`
}

/** What an older Windows (2008 R2) still grants. */
const ENVELOPE_SIZE_MAX = 153_600
const OPERATION_TIMEOUT_S = 30

/** The server answered that it cannot or will not. */
export class SoapFault extends Error {
  override readonly name = 'SoapFault'
  /** Local names: `AccessDenied`, `DestinationUnreachable`, `InvalidSelectors`. */
  readonly code: string
  constructor(code: string, reason: string) {
    super(reason)
    this.code = code
  }
}

/** An element without its namespace prefix. */
export interface Element {
  readonly name: string
  readonly text: string
  readonly isNil: boolean
  readonly children: readonly Element[]
}

/** The body of an envelope. Throws a `SoapFault`, or a `NoSoap` when it is no envelope. */
export function bodyOf(text: string): Element {
  const body = child(rootOf(text), 'Body')
  if (!body) throw new NoSoap('it is no envelope')
  const fault = child(body, 'Fault')
  if (fault) throw faultOf(fault)
  return body
}

/** The answer cannot be read at all. */
export class NoSoap extends Error {
  override readonly name = 'NoSoap'
}

function rootOf(text: string): Element {
  try {
    return asElement('', parseElement(text.replace(/^\uFEFF?\s*<\?xml[^>]*\?>/, '')))
  } catch (error) {
    throw new NoSoap(error instanceof Error ? error.message : String(error))
  }
}

export const child = (from: Element | undefined, name: string): Element | undefined =>
  from?.children.find((it) => it.name === name)

/** The first of that name, however deep. */
export function within(from: Element, name: string): Element | undefined {
  for (const it of from.children) {
    const found = it.name === name ? it : within(it, name)
    if (found) return found
  }
  return undefined
}

function faultOf(fault: Element): SoapFault {
  const codes = ['Subcode', 'Code'].flatMap((name) => {
    const value = child(within(fault, name), 'Value')
    return value ? [value.text.trim().replace(/^.*:/, '')] : []
  })
  const message = within(fault, 'Message')?.text.trim()
  const reason = within(fault, 'Text')?.text.trim()
  return new SoapFault(codes[0] ?? '', (message || reason || 'no reason given').slice(0, REASON_LENGTH_MAX))
}

const REASON_LENGTH_MAX = 500
const NIL = /^(?:\w+:)?nil$/

function asElement(name: string, from: XmlElement): Element {
  const children = Object.entries(from).flatMap(([key, value]) => {
    if (typeof value === 'string') return []
    const several = Array.isArray(value) ? (value as readonly XmlElement[]) : [value as XmlElement]
    return several.map((each) => asElement(key, each))
  })
  const isNil = Object.keys(from).some(
    (key) => key.startsWith('@') && NIL.test(key.slice(1)) && attribute(from, key.slice(1)) === 'true',
  )
  return { name: name.replace(/^.*:/, ''), text: textOf(from), isNil, children }
}
