export const placeKinds = ['site', 'building', 'room'] as const
export type PlaceKind = (typeof placeKinds)[number]

/** A site, a building of a site, or a room of either. */
export interface Place {
  readonly id: string
  readonly parentId: string | null
  readonly name: string
  readonly kind: PlaceKind
  /** In CIDR notation, in the order of their addresses. */
  readonly networks: readonly string[]
  /** By network, the types of assets or devices that it is meant for; absent where nobody said it. */
  readonly meantFor: Readonly<Record<string, readonly string[]>>
}

/** For which types of assets or devices, such as `server`, a network is meant; none: nobody said it. */
export interface NetworkTypes {
  /** In CIDR notation; one of a place. */
  readonly network: string
  readonly types: readonly string[]
}

/** A place with those that it is in. */
export interface LocatedPlace extends Place {
  /** Names from the site to the place, joined: `Oslo / Server room`. */
  readonly path: string
  readonly siteId: string
  /** Its site's name. */
  readonly site: string
}
