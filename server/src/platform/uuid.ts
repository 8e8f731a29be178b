import { randomUUID } from 'node:crypto'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether PostgreSQL would take `text` as a UUID in the form of RFC 9562 §4. Anything else names no row. */
export const isUuid = (text: string): boolean => UUID.test(text)

/** A UUID of version 7 (RFC 9562 §5.7): those of a later millisecond are greater, so they sort by age. */
export function newUuid(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
