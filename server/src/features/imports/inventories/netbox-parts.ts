import type { Identifier, Json } from '#features/assets/observation.ts'
import { invalid } from '#platform/errors.ts'
import type { Reading, Rejection, Row } from '../formats/format.ts'
import { isObject, listAt, objectAt, textAt, type Fields } from '../parsing/json-document.ts'
import { addressIn, idOf, isHostName, latest } from './values.ts'

/** Addresses and interfaces of one file, which are held until its end: several belong to one device. */
const PARTS_MAX = 100_000
const PER_DEVICE_MAX = 200
const READINGS_AT_ONCE = 100

const isAddress = (value: Fields): boolean => 'address' in value && 'assigned_object_type' in value
const isInterface = (value: Fields): boolean =>
  ('mac_address' in value || 'mac_addresses' in value) &&
  (isObject(value['device']) || isObject(value['virtual_machine']))

/** An address or interface, which says something of a device. */
export const isPart = (value: Fields): boolean => isAddress(value) || isInterface(value)

interface Held {
  readonly line: number
  readonly name: string | undefined
  updated: string | undefined
  readonly identifiers: Identifier[]
  readonly interfaces: Json[]
}

export class DeviceParts {
  readonly #held = new Map<string, Held>()
  #count = 0

  /** Undefined when it is held; an address that nothing has is no fault. */
  add(line: number, value: Fields): Rejection | undefined {
    return isAddress(value) ? this.#addAddress(line, value) : this.#addInterface(line, value)
  }

  #addAddress(line: number, value: Fields): Rejection | undefined {
    const text = textAt(value, 'address')
    const address = addressIn(text)
    if (address === undefined)
      return { line, field: 'address', message: `is no address: ${JSON.stringify(text ?? value['address'])}` }
    const held = this.#deviceOf(line, objectAt(value, 'assigned_object'), value)
    if (!held) return undefined
    held.identifiers.push({ type: 'ip', value: address })
    const name = textAt(value, 'dns_name')
    if (name !== undefined && isHostName(name)) held.identifiers.push({ type: 'hostname', value: name })
    return undefined
  }

  #addInterface(line: number, value: Fields): undefined {
    const held = this.#deviceOf(line, value, value)
    const several = listAt(value, 'mac_addresses').flatMap((it) =>
      isObject(it) ? (textAt(it, 'mac_address') ?? []) : [],
    )
    const mac = textAt(value, 'mac_address')
    const macs = several.length > 0 ? several : mac === undefined ? [] : [mac]
    held?.identifiers.push(...macs.map((it): Identifier => ({ type: 'mac', value: it })))
    held?.interfaces.push({
      name: textAt(value, 'name') ?? '',
      ...(macs[0] !== undefined && { mac: macs[0] }),
    })
  }

  #deviceOf(line: number, from: Fields, { last_updated: updated }: Fields): Held | undefined {
    const kind = isObject(from['device']) ? 'device' : 'virtual_machine'
    const device = objectAt(from, kind)
    const id = idOf(device)
    if (id === '') return undefined
    if (++this.#count > PARTS_MAX)
      throw invalid('file', `has more than ${PARTS_MAX} addresses or interfaces; split it`)
    const key = `${kind === 'device' ? 'device' : 'vm'}:${id}`
    const known = this.#held.get(key)
    const held = known ?? {
      line,
      name: textAt(device, 'name'),
      updated: undefined,
      identifiers: [],
      interfaces: [],
    }
    held.updated = latest(held.updated, typeof updated === 'string' ? updated : undefined)
    if (!known) this.#held.set(key, held)
    return held.identifiers.length < PER_DEVICE_MAX ? held : undefined
  }

  /** One observation for each device that something was held of. */
  *readings(now: Date): Iterable<readonly Reading[]> {
    let some: Row[] = []
    for (const [sourceKey, { line, name, updated, identifiers, interfaces }] of this.#held) {
      const seen = updated === undefined ? now : new Date(updated)
      some.push({
        line,
        observation: {
          sourceKey,
          seenAt: seen < now ? seen : now,
          identifiers,
          ...(name !== undefined && { name }),
          ...(interfaces.length > 0 && { facts: { interfaces } }),
        },
      })
      if (some.length < READINGS_AT_ONCE) continue
      yield some
      some = []
    }
    if (some.length > 0) yield some
  }
}
