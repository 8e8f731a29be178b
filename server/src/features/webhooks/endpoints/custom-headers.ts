import { invalid } from '#platform/errors.ts'

/** Headers that a tenant adds to the deliveries of one receiver, by their names as given. */
export type CustomHeaders = Readonly<Record<string, string>>

const HEADERS_MAX = 20
const BYTES_MAX = 4_096

/** RFC 9110 §5.6.2: a token. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** RFC 9110 §5.5 without obsolete syntax: visible ASCII, with spaces and tabs in between. */
const VALUE = /^(?:[!-~](?:[\t -~]*[!-~])?)?$/

/** Headers of framing and routing, and those that the product sets itself. */
const RESERVED =
  /^(?:host|content-.*|transfer-encoding|connection|keep-alive|proxy-.*|te|trailer|upgrade|expect|user-agent|x-service-.*)$/i

/** Throws `invalid` naming `headers`, and never repeats a value: it may be a credential. */
export function parseHeaders(headers: CustomHeaders): CustomHeaders {
  const entries = Object.entries(headers)
  if (entries.length > HEADERS_MAX) throw invalid('headers', `must be at most ${HEADERS_MAX}`)
  const seen = new Set<string>()
  let bytes = 0
  for (const [name, value] of entries) {
    if (!NAME.test(name)) throw invalid('headers', `${JSON.stringify(name)} is not a header name`)
    if (RESERVED.test(name)) throw invalid('headers', `${name} is set by the service`)
    if (seen.has(name.toLowerCase())) throw invalid('headers', `${name} is given twice`)
    if (!VALUE.test(value))
      throw invalid('headers', `the value of ${name} must be printable ASCII in one line`)
    seen.add(name.toLowerCase())
    bytes += name.length + value.length
  }
  if (bytes > BYTES_MAX) throw invalid('headers', `must have at most ${BYTES_MAX} bytes together`)
  return headers
}
