import { createHash, randomUUID } from 'node:crypto'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The nil UUID (RFC 9562 §5.9): no row has it, and it sorts before every other. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

/** Whether PostgreSQL would take `text` as a UUID in the form of RFC 9562 §4. Anything else names no row. */
export const isUuid = (text: string): boolean => UUID.test(text)

/** Whether both name the same thing, in whatever case they are written. */
export const isSameUuid = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** A UUID of version 7 (RFC 9562 §5.7): those of a later millisecond are greater, so they sort by age. */
export function newUuid(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** The UUID of version 5 (RFC 9562 §5.5) that this name has among those of the namespace: always the same. */
export function namedUuid(namespace: string, name: string): string {
  const space = Buffer.from(namespace.replaceAll('-', ''), 'hex')
  const bytes = createHash('sha1').update(space).update(name).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
