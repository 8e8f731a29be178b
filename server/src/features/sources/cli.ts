import type { Command } from '#platform/cli/command.ts'
import type { DifferentValue } from '#features/assets/assets.ts'
import type { AssetType } from '#features/assets/observation.ts'
import { csvRow } from '#platform/formats/csv.ts'
import { createAsset } from './manual-assets.ts'
import { compareWithSource, type SourceComparison } from './comparison.ts'

const texts = {
  vendor: ['vendor', 'TEXT', 'its maker'],
  model: ['model', 'TEXT', 'as its maker calls it'],
  os: ['os', 'TEXT', 'its operating system'],
  serial: ['serial', 'TEXT', 'its serial number'],
  hostname: ['hostname', 'NAME', 'its host name'],
  macAddress: ['mac', 'ADDRESS', 'its MAC address'],
  ipAddress: ['ip', 'ADDRESS', 'its IP address'],
} as const

export const commands: readonly Command[] = [
  {
    path: 'asset create',
    args: ['name'],
    tenant: true,
    options: {
      type: { value: 'TYPE', help: 'device unless given' },
      ...Object.fromEntries(Object.values(texts).map(([name, value, help]) => [name, { value, help }])),
      tag: { value: 'TAG', many: true, help: 'a tag' },
    },
    help: 'adds an asset that no scan sees; what scans see of it later joins it',
    async run(ctx, { args, options }) {
      const { type, tag } = options
      const given = Object.entries(texts).flatMap(([field, [name]]) => {
        const text = options[name]
        return typeof text === 'string' ? [[field, text] as const] : []
      })
      const asset = await createAsset(ctx, {
        name: args['name'] ?? '',
        ...(typeof type === 'string' && { assetType: type as AssetType }),
        ...Object.fromEntries(given),
        ...(typeof tag === 'string' && { tags: tag.split('\n') }),
      })
      const said = asset.isNew ? 'Added' : 'It was known already:'
      return { json: asset, text: `${said} ${asset.name} (${asset.id}).` }
    },
  },
  {
    path: 'source compare',
    args: ['kind'],
    tenant: true,
    options: {
      name: { value: 'NAME', help: 'of the source, where there are several of the kind' },
      csv: {
        flag: true,
        help: 'a line for each asset that one side missed, and for each value that differs',
      },
    },
    help: 'what a source, such as snipe-it, netbox or glpi, and all others missed of the same estate',
    async run(ctx, { args, options }) {
      const name = typeof options['name'] === 'string' ? options['name'] : undefined
      const found = await compareWithSource(
        ctx,
        { kind: args['kind'] ?? '', name },
        { listedMax: COMPARED_MAX },
      )
      return { json: found, text: options['csv'] === true ? csvOf(found) : summaryOf(found) }
    },
  },
]

/** Of each side; more than that is counted. */
const COMPARED_MAX = 100_000
const SHOWN_MAX = 10

function csvOf({ onlyThere, onlyHere, different }: SourceComparison): string {
  const lines = [
    ...onlyThere.assets.map(({ id, name }) => ['only there', id, name, '', '', '']),
    ...onlyHere.assets.map(({ id, name }) => ['only here', id, name, '', '', '']),
    ...different.assets.flatMap(({ id, name, values }) =>
      values.map(({ attribute, there, here }) => ['different', id, name, attribute, there, here]),
    ),
  ]
  return [['found', 'id', 'name', 'attribute', 'there', 'here'], ...lines].map(csvRow).join('').trimEnd()
}

function summaryOf({ shared, onlyThere, onlyHere, different }: SourceComparison): string {
  const namesOf = ({ total, assets }: SourceComparison['onlyHere']) => [
    ...assets.slice(0, SHOWN_MAX).map(({ name }) => `  ${name}`),
    ...(total > SHOWN_MAX ? [`  and ${total - SHOWN_MAX} more; --csv lists them`] : []),
  ]
  return [
    `${shared} known to both, ${different.total} of them with values that differ`,
    ...different.assets
      .slice(0, SHOWN_MAX)
      .map(({ name, values }) => `  ${name}: ${values.map(inWords).join('; ')}`),
    `${onlyThere.total} known to this source alone`,
    ...namesOf(onlyThere),
    `${onlyHere.total} of the same types that it misses`,
    ...namesOf(onlyHere),
  ].join('\n')
}

const inWords = ({ attribute, there, here }: DifferentValue): string =>
  `${attribute} ${there} there, ${here} here`
