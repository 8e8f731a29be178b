import type { Protocol } from './udp-queries.ts'

/** What a UPnP device says of itself when it is searched for. */
export interface SsdpAnswer {
  /** Operating system, UPnP version and product, as the device writes them. */
  readonly server?: string
  /** Where its description is; not fetched. */
  readonly location?: string
}

const PORT = 1900
export const SSDP_GROUP = '239.255.255.250'
const ANSWER_BYTES_MAX = 4096
const VALUE_CHARACTERS_MAX = 256

/**
 * A search for devices (UPnP Device Architecture 1.1, 1.3.2), answered within `MX` seconds. It goes to the group on the
 * local link, where many devices listen to nothing else, and to single devices beyond.
 */
export const ssdp: Protocol<SsdpAnswer> = {
  port: PORT,
  question: Buffer.from(
    [
      'M-SEARCH * HTTP/1.1',
      `HOST: ${SSDP_GROUP}:${PORT}`,
      'MAN: "ssdp:discover"',
      'MX: 1',
      'ST: upnp:rootdevice',
      '',
      '',
    ].join('\r\n'),
  ),
  decode: readSsdp,
}

/** `undefined` when the bytes are no answer to a search. */
export function readSsdp(message: Buffer): SsdpAnswer | undefined {
  const [status = '', ...lines] = message.toString('latin1', 0, ANSWER_BYTES_MAX).split(/\r?\n/)
  if (!/^HTTP\/1\.[01] 200\b/.test(status)) return undefined
  const server = header(lines, 'server')
  const location = header(lines, 'location')
  return { ...(server && { server }), ...(location && { location }) }
}

function header(lines: readonly string[], name: string): string | undefined {
  const line = lines.find((it) => it.slice(0, name.length + 1).toLowerCase() === `${name}:`)
  const value = line
    ?.slice(name.length + 1)
    .trim()
    .slice(0, VALUE_CHARACTERS_MAX)
  return value && /^[\x20-\x7e]+$/.test(value) ? value : undefined
}
