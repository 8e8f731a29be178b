/** A request without its body. */
export interface RequestHead {
  readonly url: URL
  readonly method: 'POST' | 'GET'
  readonly headers: Readonly<Record<string, string>>
  /** Null: no body, and nothing is said of one. */
  readonly bodyBytes: number | null
}

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** A character beyond them would be cut to one byte, which may be a line feed. */
const VALUE = /^[\t -~\x80-\xff]*$/
/** Set here: others would cut the request in two, or wait for what is never sent. */
const RESERVED = /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|expect)$/i

/** In Latin-1; undefined when a header cannot be sent. */
export function requestHead({ url, method, headers, bodyBytes }: RequestHead): string | undefined {
  let text = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: keep-alive\r\n`
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (!NAME.test(name) || RESERVED.test(name) || !VALUE.test(value)) return undefined
    text += `${name}: ${value}\r\n`
  }
  return bodyBytes === null ? `${text}\r\n` : `${text}content-length: ${bodyBytes}\r\n\r\n`
}
