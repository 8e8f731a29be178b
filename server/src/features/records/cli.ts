import { tenantOfAsset } from '#features/assets/assets.ts'
import type { Command, CommandOption } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { entitlementCommands } from './cli/entitlements.ts'
import { listEntitlements } from './entitlements/entitlements.ts'
import { placeKinds, type LocatedPlace, type PlaceKind } from './places/place.ts'
import { setNetworkTypes } from './places/network-types.ts'
import { createPlace, deletePlace, listPlaces, updatePlace } from './places/places.ts'
import { getRecord, setRecords, type RecordDetail } from './records.ts'
import { lifeStates, recordFields, type RecordField } from './values/asset-record.ts'

/** The option of each field of a record. */
const fieldOptions: Readonly<Record<RecordField, readonly [name: string, value: string, help: string]>> = {
  owner: ['owner', 'NAME', 'a person or team; a member by e-mail address'],
  department: ['department', 'NAME', 'the department'],
  costCentre: ['cost-centre', 'TEXT', 'the cost centre'],
  placeId: ['place', 'ID', 'where it is (ids: place list)'],
  state: ['state', 'STATE', lifeStates.join(', ')],
  purchasedOn: ['purchased', 'DATE', 'when it was bought, like 2026-03-31'],
  price: ['price', 'AMOUNT', 'what it cost, like 1299.00'],
  currency: ['currency', 'CODE', 'of the price, like EUR'],
  supplier: ['supplier', 'NAME', 'who sold it'],
  orderNumber: ['order', 'TEXT', 'the number of the order'],
  warrantyEnds: ['warranty-ends', 'DATE', 'the last day of the warranty'],
  leaseEnds: ['lease-ends', 'DATE', 'the last day of the lease'],
  replaceOn: ['replace-on', 'DATE', 'the planned replacement'],
  hardwareEol: ['hardware-eol', 'DATE', 'until when its maker supports the hardware'],
  approved: ['approved', 'YES|NO', 'whether it may be there'],
  externallyScannedOn: ['externally-scanned', 'DATE', 'when somebody scanned it from outside last'],
  notes: ['notes', 'TEXT', 'anything else'],
}

export const commands: readonly Command[] = [
  {
    path: 'asset record',
    args: ['id'],
    tenant: true,
    tenantOf: (system, { args }) => tenantOfAsset(system, args['id'] ?? ''),
    options: {
      ...Object.fromEntries(
        recordFields.map((field): [string, CommandOption] => {
          const [name, value, help] = fieldOptions[field]
          return [name, { value, help }]
        }),
      ),
      clear: { value: 'FIELD', many: true, help: 'takes a value away, named like its option' },
    },
    help: 'shows or sets what people record: owner, place, state, purchase, warranty',
    async run(ctx, { args, options }) {
      const { id = '' } = args
      const values = { ...clearedBy(options['clear']), ...givenBy(options) }
      const isSet = Object.keys(values).length > 0
      const [detail] = isSet ? await setRecords(ctx, { assetIds: [id], values }) : [await getRecord(ctx, id)]
      return { json: detail ? asJson(detail) : null, text: detail ? asText(detail) : '' }
    },
  },
  {
    path: 'place list',
    tenant: true,
    help: 'sites, buildings and rooms, with their networks',
    async run(ctx) {
      const places = await listPlaces(ctx)
      return { json: places, text: places.map(lineOf).join('\n') }
    },
  },
  {
    path: 'place create',
    args: ['name'],
    tenant: true,
    options: {
      kind: { value: 'KIND', help: `${placeKinds.join(', ')}; site unless given` },
      in: { value: 'ID', help: 'the site or building that it is in' },
      network: { value: 'CIDR', many: true, help: 'assets with an address in it are here' },
    },
    help: 'adds a site, building or room',
    async run(ctx, { args, options }) {
      const { kind, in: parentId } = options
      const place = await createPlace(ctx, {
        name: args['name'] ?? '',
        kind: (typeof kind === 'string' ? kind : 'site') as PlaceKind,
        ...(typeof parentId === 'string' && { parentId }),
        networks: listOf(options['network']),
      })
      return { json: place, text: `Added ${lineOf(place)}.` }
    },
  },
  {
    path: 'place set',
    args: ['id'],
    tenant: true,
    options: {
      name: { value: 'NAME', help: 'another name' },
      in: { value: 'ID', help: 'the site or building that it is in now' },
      network: { value: 'CIDR', many: true, help: 'all networks that it has now' },
    },
    help: 'changes a place; what is not given stays',
    async run(ctx, { args, options }) {
      const { name, in: parentId, network } = options
      const place = await updatePlace(ctx, args['id'] ?? '', {
        ...(typeof name === 'string' && { name }),
        ...(typeof parentId === 'string' && { parentId }),
        ...(network !== undefined && { networks: listOf(network) }),
      })
      return { json: place, text: `Now ${lineOf(place)}.` }
    },
  },
  {
    path: 'place network',
    args: ['cidr'],
    tenant: true,
    options: {
      for: { value: 'TYPE', many: true, help: 'a type of asset or device, such as server; none: any' },
    },
    help: 'says for which types of assets a network of a place is meant',
    async run(ctx, { args, options }) {
      const place = await setNetworkTypes(ctx, { network: args['cidr'] ?? '', types: listOf(options['for']) })
      return { json: place, text: `Now ${lineOf(place)}.` }
    },
  },
  {
    path: 'place delete',
    args: ['id'],
    tenant: true,
    help: 'deletes a place that is empty',
    async run(ctx, { args }) {
      const { id = '' } = args
      await deletePlace(ctx, id)
      return { json: { id }, text: 'Deleted.' }
    },
  },
  ...entitlementCommands,
  {
    path: 'entitlement list',
    tenant: true,
    help: 'what may be used how often, and how many uses are assigned',
    async run(ctx) {
      const all = await listEntitlements(ctx)
      const text = all.map(({ id, product, metric, count, used, ends, contract }) =>
        [id, product, `${used} of ${count ?? 'any number'} by ${metric}`, ends && `until ${ends}`, contract]
          .filter(Boolean)
          .join('  '),
      )
      return { json: all, text: text.join('\n') }
    },
  },
]

const lineOf = ({ id, kind, path, networks, meantFor }: LocatedPlace): string => {
  const texts = networks.map((it) => (meantFor[it] ? `${it} (${meantFor[it].join(', ')})` : it))
  return [id, kind, path, texts.join(', ')].filter(Boolean).join('  ')
}

const listOf = (option: string | true | undefined): string[] =>
  typeof option === 'string' ? option.split('\n').filter((text) => text.trim() !== '') : []

function givenBy(options: Readonly<Record<string, string | true | undefined>>) {
  return Object.fromEntries(
    recordFields.flatMap((field): [RecordField, string][] => {
      const text = options[fieldOptions[field][0]]
      return typeof text === 'string' ? [[field, text]] : []
    }),
  )
}

function clearedBy(option: string | true | undefined) {
  return Object.fromEntries(
    listOf(option).map((name): [RecordField, null] => {
      const field = recordFields.find((each) => fieldOptions[each][0] === name)
      if (!field)
        throw invalid('clear', `is none of ${recordFields.map((each) => fieldOptions[each][0]).join(', ')}`)
      return [field, null]
    }),
  )
}

const asJson = ({ assetId, values, ownerName, place, placeFrom, origins }: RecordDetail) => ({
  asset_id: assetId,
  ...values,
  ownerName,
  place: place?.path ?? null,
  placeFrom,
  origins,
})

function asText({ values, origins, ownerName, place, placeFrom }: RecordDetail): string {
  const lines = recordFields.flatMap((field) => {
    const shown = shownValue(field, values[field])
    const origin = origins[field]
    return shown === null
      ? []
      : [`${fieldOptions[field][0]}: ${shown}${origin ? `  (${origin.by}, ${origin.at})` : ''}`]
  })
  if (place) lines.push(`place: ${place.path}${placeFrom === 'network' ? '  (by its address)' : ''}`)
  if (ownerName !== null) lines.push(`owner's name: ${ownerName}`)
  return lines.length === 0 ? 'Nothing is recorded.' : lines.join('\n')
}

const shownValue = (field: RecordField, value: string | null): string | null =>
  field === 'placeId' ? null : value
