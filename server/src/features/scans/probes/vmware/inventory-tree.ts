import type { Found } from './property-collector.ts'
import { refOf } from './session.ts'
import type { Ref } from './soap.ts'
import { listIn, textIn, type Properties } from './property-paths.ts'

/** Where things are: containers and hosts by name, kept while the scan lasts. A few hundred bytes each. */
export interface Tree {
  readonly add: (found: Found) => void
  readonly nameOf: (ref: Ref | undefined) => string | undefined
  /** Of a host. */
  readonly clusterOf: (host: Ref) => string | undefined
  /** Names from the top down to the object's container: `/Berlin/vm/prod`. */
  readonly pathOf: (properties: Properties) => string | undefined
  /** The nearest container of the type above the object. */
  readonly above: (properties: Properties, type: string) => Place | undefined
}

export interface Place extends Ref {
  readonly name: string
  readonly parent: Ref | undefined
}

const DEPTH_MAX = 64

export function newTree(rootFolder: Ref): Tree {
  const places = new Map<string, Place>()
  const containersOf = (properties: Properties): Place[] => {
    const found: Place[] = []
    let next = parentOf(properties)
    // a hostile server may make a circle of them
    while (next && found.length < DEPTH_MAX) {
      const place = places.get(keyOf(next))
      if (!place) break
      found.push(place)
      next = place.parent
    }
    return found
  }
  return {
    add(found) {
      const { type, value, properties } = found
      const name = plain(textIn(properties, 'name') ?? '')
      places.set(keyOf(found), { type, value, name, parent: parentOf(properties) })
    },
    nameOf: (ref) => ref && places.get(keyOf(ref))?.name,
    clusterOf(host) {
      const parent = places.get(keyOf(host))?.parent
      return parent?.type === 'ClusterComputeResource' ? places.get(keyOf(parent))?.name : undefined
    },
    pathOf(properties) {
      const names = containersOf(properties).filter(({ value }) => value !== rootFolder.value)
      return names.length === 0
        ? undefined
        : `/${names
            .map(({ name }) => name)
            .toReversed()
            .join('/')}`
    },
    above: (properties, type) => containersOf(properties).find((place) => place.type === type),
  }
}

/** vSphere writes these three characters of a name as `%25`, `%2f` and `%5c`. */
export const plain = (name: string): string =>
  name
    .slice(0, NAME_LENGTH_MAX)
    .replace(/%(25|2f|5c)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

export const parentOf = (properties: Properties): Ref | undefined => referenceIn(properties, 'parent')

export function referenceIn(properties: Properties, name: string): Ref | undefined {
  const value = properties.get(name)
  return value && refOf(value)
}

export const referencesIn = (properties: Properties, name: string): Ref[] =>
  listIn(properties, name, 'ManagedObjectReference').flatMap((each) => refOf(each) ?? [])

const NAME_LENGTH_MAX = 300
const keyOf = ({ type, value }: Ref): string => `${type} ${value}`
