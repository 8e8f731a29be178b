import { plainText } from './plain-text.ts'

/** What the response of a web server reveals. */
export interface Web {
  readonly server?: string
  readonly title?: string
  readonly realm?: string
}

/** Without a name of the host in it, as nobody knows one; HTTP/1.0, so that the answer comes in one piece. */
export const httpQuestion = (address: string): string =>
  `GET / HTTP/1.0\r\nHost: ${address.includes(':') ? `[${address}]` : address}\r\nUser-Agent: Rollcall\r\nAccept: */*\r\nConnection: close\r\n\r\n`

/** No pattern here can go back over what it has passed: the bytes are anybody's. */
const TITLE = /<title[^>]{0,200}>([^<]{1,500})/i

export const isTitled = (received: Buffer): boolean =>
  /<title[^>]{0,200}>[^<]{0,500}</i.test(received.toString('latin1'))

/** Undefined: it does not speak HTTP. */
export function readHttp(received: Buffer): Web | undefined {
  const { status, header, body } = httpParts(received)
  if (status === undefined) return undefined
  const title = TITLE.exec(body.toString('utf8'))?.[1]
  const found = {
    server: header('server'),
    title: title && plainText(unescaped(title), 200),
    realm: plainText(/realm="?([^",]{1,200})/i.exec(header('www-authenticate') ?? '')?.[1] ?? ''),
  }
  return Object.fromEntries(Object.entries(found).filter(([, it]) => it !== undefined)) as Web
}

/** RTSP (RFC 2326) answers in the same form. */
export function httpParts(received: Buffer): {
  readonly status: number | undefined
  readonly header: (name: string) => string | undefined
  readonly body: Buffer
} {
  const end = received.indexOf('\r\n\r\n')
  const head = received.subarray(0, end < 0 ? received.length : end).toString('latin1')
  const [first = '', ...headers] = head.split('\r\n', 100)
  const status = /^(?:HTTP|RTSP)\/\d\.\d (\d{3})/.exec(first)?.[1]
  const header = (name: string): string | undefined => {
    const found = headers.find((it) => it.slice(0, name.length + 1).toLowerCase() === `${name}:`)
    return found === undefined ? undefined : plainText(found.slice(name.length + 1))
  }
  return {
    status: status === undefined ? undefined : Number(status),
    header,
    body: end < 0 ? Buffer.alloc(0) : received.subarray(end + 4),
  }
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
}

const unescaped = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (it) => entities[it] ?? it)
