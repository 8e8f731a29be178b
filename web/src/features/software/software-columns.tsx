import type { SoftwareRow } from '#api/generated/software.ts'
import type { ListColumn } from '#features/lists/list-column.ts'
import { usePreview } from '#ui/table/use-address-value.ts'
import { Time } from '#ui/time.tsx'
import { AssetCountLink } from './asset-count-link.tsx'
import { originName } from './software-origins.ts'
import { SupportEnd } from './support-end.tsx'

export const softwareName = ({ name, version }: Pick<SoftwareRow, 'name' | 'version'>): string =>
  `${name} ${version}`.trim()

export const softwareColumns: readonly ListColumn<SoftwareRow>[] = [
  {
    key: 'name',
    title: 'Name',
    width: 15,
    grow: 1.4,
    cell: ({ name }) => <span title={name}>{name}</span>,
    sort: 'name',
  },
  {
    key: 'version',
    title: 'Version',
    width: 10,
    grow: 0.8,
    cell: ({ version }) => version || <span className="quiet">not told</span>,
  },
  { key: 'vendor', title: 'Vendor', width: 10, grow: 1, cell: ({ vendor }) => vendor, sort: 'vendor' },
  {
    key: 'assets',
    title: 'Assets',
    width: 6,
    cell: (row) => <Assets row={row} />,
    sort: 'installs',
    isGreatestFirst: true,
  },
  {
    key: 'support',
    title: 'Supported until',
    width: 9,
    cell: ({ endsOn }) => <SupportEnd day={endsOn} />,
    sort: 'eol',
  },
  {
    key: 'origin',
    title: 'Listed by',
    width: 9,
    grow: 0.5,
    cell: ({ origin }) => originName(origin),
    sort: 'origin',
  },
  {
    key: 'ecosystem',
    title: 'Ecosystem',
    width: 8,
    cell: ({ ecosystem }) => ecosystem,
    sort: 'ecosystem',
    isExtra: true,
  },
  { key: 'arch', title: 'Architecture', width: 7, cell: ({ arch }) => arch, sort: 'arch', isExtra: true },
  {
    key: 'source',
    title: 'Source package',
    width: 9,
    grow: 1,
    cell: ({ sourceName }) => sourceName,
    sort: 'source_package',
    isExtra: true,
  },
  {
    key: 'firstSeen',
    title: 'First seen',
    width: 8,
    fillsWidth: true,
    cell: ({ firstSeen }) => <Time at={firstSeen} />,
    sort: 'first_seen',
    isGreatestFirst: true,
  },
]

function Assets({ row }: { readonly row: SoftwareRow }) {
  const { open } = usePreview()
  return (
    <AssetCountLink
      held={{ id: row.id, name: softwareName(row) }}
      assets={row.assets}
      onOpen={({ id }) => open(id)}
    />
  )
}
