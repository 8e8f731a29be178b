import type { Ctx } from '#platform/context.ts'
import { notFound } from '#platform/errors.ts'
import type { LocatedPlace, NetworkTypes } from './place.ts'
import { canonicalNetwork, listPlaces, updatePlace } from './places.ts'

/** Says for which types a network is meant, whichever place has it. 404 for a network of no place. */
export async function setNetworkTypes(
  ctx: Ctx,
  { network: text, types }: NetworkTypes,
): Promise<LocatedPlace> {
  const network = canonicalNetwork(text, 'network')
  const place = (await listPlaces(ctx)).find(({ networks }) => networks.includes(network))
  if (!place) throw notFound('network')
  return updatePlace(ctx, place.id, { networkTypes: [{ network, types }] })
}
