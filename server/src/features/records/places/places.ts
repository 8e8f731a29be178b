import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { assetTypes, updateAllSitesLater } from '#features/assets/assets.ts'
import { difference, record } from '#features/audit/audit.ts'
import { deviceTypes } from '#features/recognition/recognition.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import { newUuid } from '#platform/uuid.ts'
import { checkedName } from '#platform/validation/checked-name.ts'
import { placeFinder, type PlaceFinder } from './place-finder.ts'
import { placeKinds, type LocatedPlace, type NetworkTypes, type Place, type PlaceKind } from './place.ts'
import * as store from './place-store.ts'

/** Sites, buildings and rooms, and the networks that belong to them. */

const NAME_LENGTH_MAX = 200
const PLACES_MAX = 5_000
const NETWORKS_MAX = 500

export interface NewPlace {
  readonly name: string
  readonly kind: PlaceKind
  /** The site of a building; the site or building of a room. */
  readonly parentId?: string
  readonly networks?: readonly string[]
}

export type PlaceChange = Partial<Omit<NewPlace, 'kind'>> & {
  /** Of networks that it has then; what is not given stays. */
  readonly networkTypes?: readonly NetworkTypes[]
}

/** In the order of their paths. */
export async function listPlaces(ctx: Ctx): Promise<readonly LocatedPlace[]> {
  permit(ctx, 'assets:read')
  return (await findPlaces(ctx)).all
}

/** Reads all places of the tenant at once. */
export async function findPlaces(ctx: Ctx): Promise<PlaceFinder> {
  return placeFinder(await store.places(ctx))
}

export async function createPlace(ctx: Ctx, input: NewPlace): Promise<LocatedPlace> {
  permit(ctx, 'assets:write')
  const name = checkedName('name', input.name, NAME_LENGTH_MAX)
  if (!placeKinds.includes(input.kind)) throw invalid('kind', `is none of ${placeKinds.join(', ')}`)
  return atomically(ctx, async (inner) => {
    await store.lockPlaces(inner)
    const known = await findPlaces(inner)
    if (known.all.length >= PLACES_MAX) throw conflict(`there are ${PLACES_MAX} places already`)
    const parentId = checkedParent(input.kind, input.parentId ?? null, known)
    const networks = checkedNetworks(input.networks ?? [], known)
    const id = newUuid(inner.now())
    if (!(await store.add(inner, { id, parentId, name, kind: input.kind }))) throw taken(name)
    await store.replaceNetworks(inner, id, networks)
    if (networks.length > 0) await updateAllSitesLater(inner)
    await record(inner, 'place.created', { type: 'place', id }, { name, kind: input.kind, networks })
    return placeIn(await findPlaces(inner), id)
  })
}

/** What is not given stays. */
export async function updatePlace(ctx: Ctx, id: string, change: PlaceChange): Promise<LocatedPlace> {
  permit(ctx, 'assets:write')
  return atomically(ctx, async (inner) => {
    await store.lockPlaces(inner)
    const known = await findPlaces(inner)
    const before = placeIn(known, id)
    const name = change.name === undefined ? before.name : checkedName('name', change.name, NAME_LENGTH_MAX)
    const parentId = checkedParent(before.kind, change.parentId ?? before.parentId, known)
    const others = known.all.filter((it) => it.id !== id)
    if (others.some((it) => it.name === name && it.parentId === parentId)) throw taken(name)
    const networks =
      change.networks === undefined ? before.networks : checkedNetworks(change.networks, known, id)
    await store.change(inner, { id, parentId, name, kind: before.kind })
    if (change.networks !== undefined) await store.replaceNetworks(inner, id, networks)
    for (const { network, types } of checkedTypes(change.networkTypes ?? [], networks))
      await store.writeMeantFor(inner, network, types)
    const after = placeIn(await findPlaces(inner), id)
    const changed = difference(fieldsOf(before), fieldsOf(after))
    if (Object.keys(changed.after).length === 0) return after
    await updateAllSitesLater(inner)
    await record(inner, 'place.changed', { type: 'place', id }, { name: after.name, ...changed })
    return after
  })
}

/** Refused while other places are in it, or assets are recorded there. */
export async function deletePlace(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'assets:write')
  await atomically(ctx, async (inner) => {
    await store.lockPlaces(inner)
    const known = await findPlaces(inner)
    const { name, path } = placeIn(known, id)
    const inside = known.all.filter(({ parentId }) => parentId === id).length
    if (inside > 0) throw conflict(`${path} has ${inside} other places in it: delete or move them first`)
    const assets = (await store.recordedIn(inner)).get(id) ?? 0
    if (assets > 0) throw conflict(`${assets} assets are recorded in ${path}: record another place first`)
    await store.remove(inner, id).catch((error: unknown) => {
      throw isReferenced(error)
        ? conflict(`scan targets are of ${path}: give them another site first`)
        : error
    })
    await updateAllSitesLater(inner)
    await record(inner, 'place.deleted', { type: 'place', id }, { name })
  })
}

/**
 * Ids of the places of these paths (`Oslo`, `Oslo / Server room`), by path. For a path that is no place's a site is made.
 * The paths must have passed `wrongWith`.
 */
export async function placesByPath(ctx: Ctx, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map()
  const known = await findPlaces(ctx)
  const ids = new Map(known.all.map(({ path, id }) => [path, id]))
  const missing = [...new Set(paths)].filter((path) => !ids.has(path)).sort()
  if (known.all.length + missing.length > PLACES_MAX)
    throw invalid('site', `${missing.length} more sites would be more than ${PLACES_MAX} places`)
  for (const name of missing) {
    const id = newUuid(ctx.now())
    // another transaction may have made it just now
    const isNew = await store.add(ctx, { id, parentId: null, name, kind: 'site' })
    if (isNew) await record(ctx, 'place.created', { type: 'place', id }, { name, kind: 'site', networks: [] })
    ids.set(name, isNew ? id : ((await findPlaces(ctx)).all.find(({ path }) => path === name)?.id ?? ''))
  }
  return ids
}

function placeIn(known: PlaceFinder, id: string): LocatedPlace {
  const place = known.byId(id)
  if (!place) throw notFound('place')
  return place
}

const fieldsOf = ({ name, parentId, networks, meantFor }: Place) => ({ name, parentId, networks, meantFor })
const taken = (name: string) => conflict(`name: there is a place ${name} in the same place`)

const parentKinds: Readonly<Record<PlaceKind, readonly PlaceKind[]>> = {
  site: [],
  building: ['site'],
  room: ['site', 'building'],
}

function checkedParent(kind: PlaceKind, parentId: string | null, known: PlaceFinder): string | null {
  const allowed = parentKinds[kind]
  if (parentId === null && allowed.length === 0) return null
  const parent = parentId === null ? undefined : known.byId(parentId)
  if (!parent || !allowed.includes(parent.kind)) {
    throw invalid(
      'parentId',
      allowed.length === 0 ? 'a site is in no other place' : `names no ${allowed.join(' or ')}`,
    )
  }
  return parent.id
}

/** In canonical form. A network belongs to one place. */
function checkedNetworks(texts: readonly string[], known: PlaceFinder, ownId?: string): string[] {
  if (texts.length > NETWORKS_MAX) throw invalid('networks', `are more than ${NETWORKS_MAX}`)
  const networks = [...new Set(texts.map((text) => canonicalNetwork(text)))]
  for (const { id, path, networks: theirs } of known.all) {
    const both = id === ownId ? undefined : networks.find((network) => theirs.includes(network))
    if (both !== undefined) throw conflict(`networks: ${both} belongs to ${path}`)
  }
  return networks
}

const knownTypes: ReadonlySet<string> = new Set(
  [...assetTypes, ...deviceTypes].filter((type) => type !== 'unknown'),
)

function checkedTypes(given: readonly NetworkTypes[], networks: readonly string[]): NetworkTypes[] {
  if (given.length > NETWORKS_MAX) throw invalid('networkTypes', `are more than ${NETWORKS_MAX}`)
  return given.map(({ network: text, types }) => {
    const network = canonicalNetwork(text, 'networkTypes')
    if (!networks.includes(network)) throw invalid('networkTypes', `${network} is no network of the place`)
    const wrong = types.find((type) => !knownTypes.has(type))
    if (wrong !== undefined)
      throw invalid(
        'networkTypes',
        `${JSON.stringify(wrong.slice(0, 64))} is none of ${[...knownTypes].join(', ')}`,
      )
    return { network, types: [...new Set(types)].sort() }
  })
}

/** Refused, by the name of the field, when it is none. */
export function canonicalNetwork(text: string, field = 'networks'): string {
  const [address = '', prefix = '', ...more] = text.trim().split('/')
  const version = isIP(address)
  const wrong = invalid(
    field,
    `${JSON.stringify(text.slice(0, 64))} is no network; write one such as 10.1.0.0/16`,
  )
  if (version === 0 || address.includes('%') || more.length > 0 || !/^\d{1,3}$/.test(prefix)) throw wrong
  if (Number(prefix) > (version === 4 ? 32 : 128)) throw wrong
  const cidr = `${address}/${prefix}`
  const family = version === 4 ? ipaddr.IPv4 : ipaddr.IPv6
  return `${family.networkAddressFromCIDR(cidr).toString()}/${Number(prefix)}`
}

/** PostgreSQL's foreign_key_violation: a feature below refers to it. */
const isReferenced = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23503'
