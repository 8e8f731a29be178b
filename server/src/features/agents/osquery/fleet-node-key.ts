/** What a host shows that came over from Fleet: the path names no token, so the key does. */
export interface FleetNodeKey {
  readonly tenantId: string
  readonly tokenId: string
  readonly key: string
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const FIELD = new RegExp(`"node_key"\\s*:\\s*"(${UUID})\\.(${UUID})\\.([0-9a-f]{64})"`, 'g')
/** A key stands as the first or the last field; between may be megabytes of results. */
const LOOKED_AT_OCTETS = 65_536

export const fleetNodeKey = ({ tenantId, tokenId, key }: FleetNodeKey): string =>
  `${tenantId}.${tokenId}.${key}`

/**
 * Looked for near both ends of a body that is not parsed: osquery appends it to what it sends. Undefined when there is
 * none of our form, such as when it is a key that Fleet gave out, and when there are several that differ: which of them is
 * the field and which is text of a result is not known then.
 */
export function nodeKeyIn(body: Buffer): FleetNodeKey | undefined {
  const ends =
    body.length <= 2 * LOOKED_AT_OCTETS
      ? [body]
      : [body.subarray(0, LOOKED_AT_OCTETS), body.subarray(-LOOKED_AT_OCTETS)]
  const found = new Map<string, FleetNodeKey>()
  for (const end of ends)
    for (const [field, tenantId = '', tokenId = '', key = ''] of end.toString('latin1').matchAll(FIELD))
      found.set(field.replace(/.*:/, ''), { tenantId, tokenId, key })
  return found.size === 1 ? [...found.values()][0] : undefined
}
