import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { LocatedPlace, Place } from './place.ts'

/** Finds places by id and by address, in memory; made once for a list of assets. */
export interface PlaceFinder {
  readonly all: readonly LocatedPlace[]
  readonly byId: (id: string) => LocatedPlace | undefined
  /** The place of the longest network that holds the address; undefined for what is no address. */
  readonly byAddress: (address: string) => LocatedPlace | undefined
}

/** `all` is in the order of paths. */
export function placeFinder(places: readonly Place[]): PlaceFinder {
  const rows = new Map(places.map((place) => [place.id, place]))
  const located = new Map(places.map((place) => [place.id, locate(place, rows)]))
  const networks = networksByLength(places)
  return {
    all: [...located.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
    byId: (id) => located.get(id),
    byAddress(text) {
      if (networks.length === 0 || isIP(text) === 0) return undefined
      const bytes = ipaddr.process(text).toByteArray()
      for (const { length, width, placeOf } of networks) {
        const id = width === bytes.length ? placeOf.get(masked(bytes, length)) : undefined
        if (id !== undefined) return located.get(id)
      }
      return undefined
    },
  }
}

function locate(place: Place, rows: ReadonlyMap<string, Place>): LocatedPlace {
  const way = [place]
  for (let at = rows.get(place.parentId ?? ''); at && !way.includes(at); at = rows.get(at.parentId ?? ''))
    way.unshift(at)
  const [site = place] = way
  return { ...place, path: way.map(({ name }) => name).join(' / '), siteId: site.id, site: site.name }
}

interface Networks {
  /** Bits of the prefix. */
  readonly length: number
  /** Bytes of an address: 4 or 16. */
  readonly width: number
  /** By the masked address. */
  readonly placeOf: Map<string, string>
}

/** The longest first. */
function networksByLength(places: readonly Place[]): Networks[] {
  const found = new Map<string, Networks>()
  for (const { id, networks } of places) {
    for (const network of networks) {
      const [address, length] = ipaddr.parseCIDR(network)
      const bytes = address.toByteArray()
      const key = `${bytes.length}/${length}`
      const same = found.get(key) ?? { length, width: bytes.length, placeOf: new Map<string, string>() }
      found.set(key, same)
      same.placeOf.set(masked(bytes, length), id)
    }
  }
  return [...found.values()].sort((a, b) => b.length - a.length)
}

const masked = (bytes: readonly number[], length: number): string =>
  bytes.map((byte, at) => byte & (0xff00 >> Math.min(8, Math.max(0, length - at * 8)))).join('.')
