import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ListColumn } from '#features/lists/list-column.ts'
import type { AssetRow } from '#api/generated/assets.ts'
import type { AssessmentState, AssetSort } from '#api/generated/enums-and-inputs.ts'
import type { CustomFieldsData } from '#api/generated/settings.ts'
import { percent } from '#lib/numbers.ts'
import { ChipLine } from '#ui/badge.tsx'
import { RiskScore } from '#features/vulnerabilities/risk/risk-score.tsx'
import { Time } from '#ui/time.tsx'
import styles from './asset-columns.module.css'
import { AssetIcon } from '../asset-icon.tsx'
import { typeName } from '../asset-types.ts'
import { madeName } from '../made-name.ts'
import { DeviceIcon } from '../recognition/device-icon.tsx'
import { deviceTypeName } from '../recognition/device-types.ts'
import { LastSeen, StaleBadge } from '../freshness.tsx'

type CustomField = CustomFieldsData['customFields'][number]

/** `state`: whether the asset was assessed, which qualifies a risk score of 0; undefined while loading. */
export type ListedAsset = AssetRow & {
  readonly state?: AssessmentState | undefined
  /** Values of the custom fields that are columns, by the id of the field. */
  readonly custom?: ReadonlyMap<string, unknown>
}

export interface AssetColumn extends ListColumn<ListedAsset> {
  /** The fields of the column, by their names in the CSV export. */
  readonly fields: readonly (keyof AssetRow | `custom.${string}`)[]
  /** The id of the custom field that it shows. */
  readonly customFieldId?: string
  readonly sort?: AssetSort
}

const code = (text: string): ReactNode => <span className="mono">{text}</span>

/** All columns; the name is always displayed. */
export const assetColumns: readonly AssetColumn[] = [
  {
    key: 'name',
    fields: ['name'],
    title: 'Name',
    width: 14,
    grow: 2,
    cell: (asset) => <AssetName asset={asset} />,
    sort: 'name',
  },
  {
    key: 'type',
    fields: ['assetType'],
    title: 'Type',
    width: 8.5,
    grow: 1,
    cell: ({ assetType, deviceType }) =>
      assetType === 'device' && deviceType !== 'unknown' ? deviceTypeName(deviceType) : typeName(assetType),
    sort: 'assetType',
  },
  {
    key: 'device',
    fields: ['deviceType'],
    title: 'Device type',
    width: 7.5,
    grow: 0.8,
    cell: ({ deviceType }) => (deviceType === 'unknown' ? '' : deviceTypeName(deviceType)),
    sort: 'deviceType',
    isExtra: true,
  },
  {
    key: 'ip',
    fields: ['ipAddress'],
    title: 'IP address',
    width: 8.5,
    grow: 1,
    cell: ({ ipAddress }) => code(ipAddress),
    sort: 'ipAddress',
  },
  {
    key: 'mac',
    fields: ['macAddress'],
    title: 'MAC address',
    width: 9.5,
    grow: 1,
    cell: ({ macAddress }) => code(macAddress),
    sort: 'macAddress',
    isExtra: true,
  },
  {
    key: 'os',
    fields: ['os'],
    title: 'Operating system',
    width: 9.5,
    grow: 1.2,
    cell: ({ os }) => os,
    sort: 'os',
  },
  {
    key: 'model',
    fields: ['vendor', 'model'],
    title: 'Make and model',
    width: 11,
    grow: 1.4,
    cell: madeName,
    sort: 'model',
  },
  {
    key: 'risk',
    fields: ['riskScore'],
    title: 'Risk',
    width: 7,
    cell: ({ riskScore, state }) => <RiskScore score={riskScore} state={state} />,
    sort: 'riskScore',
    isGreatestFirst: true,
  },
  {
    key: 'serial',
    fields: ['serial'],
    title: 'Serial',
    width: 8,
    grow: 1,
    cell: ({ serial }) => code(serial),
    sort: 'serial',
    isExtra: true,
  },
  {
    key: 'tags',
    fields: ['tags'],
    title: 'Tags',
    width: 8,
    grow: 1,
    fillsWidth: true,
    cell: ({ tags }) => <ChipLine words={tags} />,
  },
  {
    key: 'confidence',
    fields: ['confidence'],
    title: 'Confidence',
    width: 6.5,
    cell: ({ confidence }) => percent(confidence),
    sort: 'confidence',
    isGreatestFirst: true,
    isExtra: true,
  },
  {
    key: 'firstSeen',
    fields: ['firstSeen'],
    title: 'First seen',
    width: 7.5,
    cell: ({ firstSeen }) => <Time at={firstSeen} />,
    sort: 'firstSeen',
    isGreatestFirst: true,
    isExtra: true,
  },
  {
    key: 'lastSeen',
    fields: ['lastSeen'],
    title: 'Last seen',
    width: 8,
    cell: ({ lastSeen }) => <LastSeen at={lastSeen} />,
    sort: 'lastSeen',
    isGreatestFirst: true,
  },
]

/** A column of a custom field; it is not shown by default. */
export const customColumn = ({ id, name, key, kind }: CustomField): AssetColumn => ({
  key: `custom.${key}`,
  fields: [`custom.${key}`],
  customFieldId: id,
  title: name,
  width: 8,
  grow: 1,
  cell: ({ custom }) => valueInWords(custom?.get(id), kind),
  isExtra: true,
})

function valueInWords(value: unknown, kind: CustomField['kind']): ReactNode {
  if (value === undefined) return ''
  if (kind === 'boolean') return value === true ? 'Yes' : 'No'
  return typeof value === 'number' || typeof value === 'string' ? String(value) : ''
}

function AssetName({ asset }: { readonly asset: AssetRow }) {
  return (
    <Link to="/assets/$assetId" params={{ assetId: asset.id }} className={styles['name']}>
      {asset.deviceType === 'unknown' ? (
        <AssetIcon type={asset.assetType} />
      ) : (
        <DeviceIcon type={asset.deviceType} size={15} />
      )}
      <span className={styles['text']}>{asset.name}</span>
      <StaleBadge since={asset.staleSince} />
    </Link>
  )
}
