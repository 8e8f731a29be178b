import { tenantOfAsset } from '#features/assets/assets.ts'
import type { Command } from '#platform/cli/command.ts'
import { parsePage } from '#platform/http/paging.ts'
import { listSoftware, softwareOfAsset } from './software.ts'
import { listCommands } from './lists/cli.ts'
import type { Software } from './listing/software-lists.ts'

export const commands: readonly Command[] = [
  {
    path: 'software list',
    tenant: true,
    tenantOf: async (system, { options: { asset } }) =>
      typeof asset === 'string' ? tenantOfAsset(system, asset) : undefined,
    options: {
      asset: { value: 'ID', help: 'software of this asset; of all assets unless given' },
      search: { value: 'TEXT', help: 'anywhere in name, vendor or source package' },
      origin: { value: 'ORIGIN', help: 'package manager or registry: dpkg, rpm, windows' },
      limit: { value: 'N', help: 'at most so many, 50 unless given' },
      offset: { value: 'N', help: 'how many to skip' },
    },
    help: 'installed software, by name',
    async run(ctx, { options }) {
      const page = parsePage(options)
      const { asset } = options
      if (typeof asset === 'string') {
        const { items, total } = await softwareOfAsset(ctx, asset, page)
        return { json: { total, items: items.map(asJson) }, text: items.map(lineOf).join('\n') }
      }
      const filter = { search: textOf(options['search']), origin: textOf(options['origin']) }
      const { items, total } = await listSoftware(ctx, page, filter)
      return {
        json: { total, items: items.map((it) => ({ ...asJson(it), assets: it.assets })) },
        text: items.map((it) => `${lineOf(it)}  on ${it.assets}`).join('\n'),
      }
    },
  },
  ...listCommands,
]

const textOf = (option: string | true | undefined): string | undefined =>
  typeof option === 'string' ? option : undefined

const asJson = ({ origin, ecosystem, name, version, arch, vendor, purl, cpe }: Software) => ({
  origin,
  ecosystem,
  name,
  version,
  arch,
  vendor,
  purl,
  cpe,
})

const lineOf = ({ origin, name, version, vendor }: Software): string =>
  [name, version, vendor && `(${vendor})`, `[${origin}]`].filter(Boolean).join('  ')
