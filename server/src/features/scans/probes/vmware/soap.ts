import { elements, parseElement, textAt, type XmlElement } from '#platform/formats/xml-tree.ts'
import { ProbeFailure } from '../probe.ts'
import type { Answer, Https } from '../tls/https-client.ts'
import { endpointText } from '../tls/pinned-certificate.ts'

/** A managed object: the type decides what it can be asked, the value is its name within this server. */
export interface Ref {
  readonly type: string
  readonly value: string
}

/** What the server answers when it will not do as asked. `kind` is the type of the fault, such as `InvalidLogin`. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly kind: string
  /** The name that faults about properties give. */
  readonly subject: string | undefined

  constructor(kind: string, message: string, subject: string | undefined) {
    super(message)
    this.kind = kind
    this.subject = subject
  }
}

export interface Soap {
  /** The `…Response` element of what `_this` was asked; `body` is XML, made with `escaped` and `reference`. */
  readonly call: (self: Ref, method: string, body?: string, signal?: AbortSignal) => Promise<XmlElement>
  readonly https: Https
  /** From now on speaks as this version of the API. */
  readonly speak: (version: string) => void
}

/** What every vCenter and ESXi host since 2013 understands. */
const OLDEST_VERSION = '5.5'

/** SOAP as the vSphere web services speak it; the session is a cookie. */
export function openSoap(https: Https, onRaw: (part: string, text: string) => void = () => undefined): Soap {
  let version = OLDEST_VERSION
  const cookies = new Map<string, string>()
  return {
    https,
    speak: (chosen) => void (version = chosen),
    async call(self, method, body = '', signal) {
      const answer = await https.ask({
        method: 'POST',
        path: '/sdk',
        headers: {
          'content-type': 'text/xml; charset=utf-8',
          soapaction: `urn:vim25/${version}`,
          ...(cookies.size > 0 && { cookie: [...cookies].map((each) => each.join('=')).join('; ') }),
        },
        body: `${OPENING}<${method} xmlns="urn:vim25">${reference('_this', self)}${body}</${method}>${CLOSING}`,
        ...(signal && { signal }),
      })
      if (shownRaw.has(method))
        onRaw(partOf(method, body), answer.text.slice(0, RAW_LENGTH_MAX).toWellFormed())
      for (const cookie of answer.cookies.slice(0, COOKIES_MAX)) keep(cookies, cookie)
      return responseIn(answer, method, endpointText(https.peer))
    },
  }
}

export const reference = (name: string, { type, value }: Ref): string =>
  `<${name} type="${escaped(type)}">${escaped(value)}</${name}>`

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** The type that an element says it has by XML Schema, whatever prefix the server gave that namespace. */
export function typeOf(element: XmlElement): string {
  for (const [name, value] of Object.entries(element))
    if (/^@[^:]+:type$/.test(name) && typeof value === 'string') return value.replace(/^[^:]*:/, '')
  return ''
}

const OPENING =
  '<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soapenv:Body>'
const CLOSING = '</soapenv:Body></soapenv:Envelope>'
/** What the server is, and the first page of each type; never what is said of the session. */
const shownRaw: ReadonlySet<string> = new Set(['RetrieveServiceContent', 'RetrievePropertiesEx'])
const RAW_LENGTH_MAX = 64 * 1024
const COOKIES_MAX = 8
const COOKIE_LENGTH_MAX = 4_096
const MESSAGE_LENGTH_MAX = 200

const partOf = (method: string, body: string): string => /<propSet><type>(\w+)</.exec(body)?.[1] ?? method

function keep(cookies: Map<string, string>, header: string): void {
  const pair = /^([\w-]{1,64})=([^;\s]*)/.exec(header)
  if (pair?.[1] !== undefined && pair[2] !== undefined && pair[0].length < COOKIE_LENGTH_MAX)
    cookies.set(pair[1], pair[2])
}

function responseIn(answer: Answer, method: string, where: string): XmlElement {
  const { status } = answer
  const type = answer.header('content-type') ?? 'no content type'
  if (status === 503)
    throw new ProbeFailure(`vSphere on ${where} is starting or overloaded (HTTP 503); scan again later`)
  // a fault comes with 500
  if ((status !== 200 && status !== 500) || !/xml/i.test(type)) {
    const what =
      status >= 300 && status < 400 ? `a redirect (HTTP ${status})` : `HTTP ${status}, ${clipped(type)}`
    throw new ProbeFailure(
      `${where} answers ${what} where vSphere would answer in SOAP: it is no vCenter or ESXi host, or a proxy stands before it`,
    )
  }
  const body = bodyOf(answer.text, where)
  const fault = local(body, 'Fault')
  if (fault) throw faultOf(fault)
  const response = local(body, `${method}Response`)
  if (!response) throw new ProbeFailure(`${where} answers ${method} with something else; it is no vSphere`)
  return response
}

function bodyOf(text: string, where: string): XmlElement {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
    throw new ProbeFailure(`${where} sent XML with declarations, which SOAP forbids; it was not read`)
  try {
    const envelope = parseElement(text.replace(/^\uFEFF?\s*<\?xml[^>]{0,200}\?>\s*/, ''))
    const body = local(envelope, 'Body')
    if (body) return body
  } catch {
    // said below
  }
  throw new ProbeFailure(`${where} sent a broken answer: it is not well-formed SOAP, or was cut off`)
}

/** The child of that name, under any prefix. */
function local(element: XmlElement, name: string): XmlElement | undefined {
  const key = Object.keys(element).find((it) => it === name || it.endsWith(`:${name}`))
  return key === undefined ? undefined : elements(element, key)[0]
}

function faultOf(fault: XmlElement): Fault {
  const detail = elements(fault, 'detail')[0] ?? {}
  const [name, element] =
    Object.entries(detail).find(([key]) => !key.startsWith('@') && !key.startsWith('#')) ?? []
  const body = name === undefined || element === undefined ? {} : (elements(detail, name)[0] ?? {})
  const kind = typeOf(body) || (name ?? 'unknown').replace(/^.*:/, '').replace(/Fault$/, '')
  return new Fault(clipped(kind), clipped(textAt(fault, 'faultstring') ?? ''), textAt(body, 'name'))
}

const clipped = (text: string): string =>
  text.replace(/[^\x20-\x7e\u00a0-\uffff]/g, ' ').slice(0, MESSAGE_LENGTH_MAX)
