import { given, type EnumOf, type Schema, type TypeOf } from '#platform/graphql/schema.ts'
import { placeKinds, type LocatedPlace, type NetworkTypes, type PlaceKind } from '../places/place.ts'
import { createPlace, deletePlace, listPlaces, updatePlace } from '../places/places.ts'

export function addPlaces(schema: Schema): TypeOf<LocatedPlace> {
  const kind = schema.enumType('PlaceKind', { values: placeKinds })
  const networkTypes = schema.objectRef<NetworkTypes>('NetworkTypes').implement({
    fields: (t) => ({
      network: t.exposeString('network'),
      types: t.field({ type: ['String'], resolve: ({ types }) => [...types] }),
    }),
  })
  const place = schema.objectRef<LocatedPlace>('Place').implement({
    description: 'A site, a building of a site, or a room of either.',
    fields: (t) => ({
      id: t.exposeID('id'),
      parentId: t.exposeID('parentId', { nullable: true }),
      name: t.exposeString('name'),
      kind: t.expose('kind', { type: kind }),
      path: t.exposeString('path', { description: 'Names from the site on: `Oslo / Server room`.' }),
      siteId: t.exposeID('siteId'),
      site: t.exposeString('site', { description: 'The name of its site.' }),
      networks: t.field({ type: ['String'], resolve: ({ networks }) => networks }),
      networkTypes: t.field({
        type: [networkTypes],
        description: 'For which types its networks are meant, where somebody said it.',
        resolve: ({ networks, meantFor }) =>
          networks.flatMap((network) => {
            const types = meantFor[network]
            return types ? [{ network, types }] : []
          }),
      }),
    }),
  })
  schema.queryField('places', (t) =>
    t.field({
      type: [place],
      description: 'In the order of their paths.',
      resolve: async (_, __, ctx) => [...(await listPlaces(ctx))],
    }),
  )
  addMutations(schema, place, kind)
  return place
}

function addMutations(schema: Schema, place: TypeOf<LocatedPlace>, kind: EnumOf<PlaceKind>): void {
  const networkTypes = schema.inputType('NetworkTypesInput', {
    description: 'No types: nobody says what the network is meant for.',
    fields: (t) => ({
      network: t.string({ required: true }),
      types: t.stringList({ required: true, description: 'Of assets and devices, such as `server`.' }),
    }),
  })
  schema.mutationFields((t) => ({
    createPlace: t.field({
      type: place,
      args: {
        name: t.arg.string({ required: true }),
        kind: t.arg({ type: kind, required: true }),
        parentId: t.arg.id({ description: 'The site of a building; the site or building of a room.' }),
        networks: t.arg.stringList({ description: 'In CIDR notation. A network belongs to one place.' }),
      },
      resolve: (_, input, ctx) => createPlace(ctx, given(input)),
    }),
    updatePlace: t.field({
      type: place,
      description: 'What is not given stays.',
      args: {
        id: t.arg.id({ required: true }),
        name: t.arg.string(),
        parentId: t.arg.id(),
        networks: t.arg.stringList({ description: 'All of them.' }),
        networkTypes: t.arg({
          type: [networkTypes],
          description: 'For which types networks of the place are meant; those that are not given stay.',
        }),
      },
      resolve: (_, { id, ...change }, ctx) => updatePlace(ctx, id, given(change)),
    }),
    deletePlace: t.field({
      type: 'ID',
      description: 'Refused while other places are in it, or assets are recorded there.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => deletePlace(ctx, id).then(() => id),
    }),
  }))
}
