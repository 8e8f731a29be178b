import type { Command } from '#platform/cli/command.ts'
import type { AssetType } from '#features/assets/observation.ts'
import { createAsset } from './manual-assets.ts'

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
]
