import { permit, type Ctx } from '#platform/context.ts'
import * as store from './map-store.ts'
import { connectedMap, networksOf, routedMap, type TopologyMap } from './topology-map.ts'

export const mapLayers = ['links', 'routing'] as const
export type MapLayer = (typeof mapLayers)[number]

/** What is connected with what, or what routes between which networks. */
export async function topologyMap(ctx: Ctx, layer: MapLayer): Promise<TopologyMap> {
  permit(ctx, 'assets:read')
  if (layer === 'links') return connectedMap(await store.connections(ctx))
  const told = await store.toldAddresses(ctx)
  const networks = [...new Set(told.flatMap(({ addresses }) => networksOf(addresses)))]
  return routedMap(told, await store.seenByArp(ctx), await store.devicesIn(ctx, networks))
}
