import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AssetRow } from '#api/generated/assets.ts'
import type { AssessmentState, AssetSort } from '#api/generated/enums-and-inputs.ts'
import type { CustomFieldsData } from '#api/generated/settings.ts'
import { percent } from '#lib/numbers.ts'
import { Chip } from '#ui/badge.tsx'
import { RiskScore } from '#features/vulnerabilities/risk/risk-score.tsx'
import { Time } from '#ui/time.tsx'
import styles from './asset-columns.module.css'
import { AssetIcon } from '../asset-icon.tsx'
import { typeName } from '../asset-types.ts'
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

export interface AssetColumn {
  readonly key: string
  readonly title: string
  readonly width: number
  readonly grow: number
  readonly fillsWidth?: boolean
  readonly cell: (asset: ListedAsset) => ReactNode
  /** The fields of the column, by their names in the CSV export. */
  readonly fields: readonly (keyof AssetRow | `custom.${string}`)[]
  /** The id of the custom field that it shows. */
  readonly customFieldId?: string
  readonly sort?: AssetSort
  /** Displayed by default. */
  readonly isDefault: boolean
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
    isDefault: true,
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
    isDefault: true,
  },
  {
    key: 'device',
    fields: ['deviceType'],
    title: 'Device type',
    width: 7.5,
    grow: 0.8,
    cell: ({ deviceType }) => (deviceType === 'unknown' ? '' : deviceTypeName(deviceType)),
    sort: 'deviceType',
    isDefault: false,
  },
  {
    key: 'ip',
    fields: ['ipAddress'],
    title: 'IP address',
    width: 8.5,
    grow: 1,
    cell: ({ ipAddress }) => code(ipAddress),
    sort: 'ipAddress',
    isDefault: true,
  },
  {
    key: 'mac',
    fields: ['macAddress'],
    title: 'MAC address',
    width: 9.5,
    grow: 1,
    cell: ({ macAddress }) => code(macAddress),
    sort: 'macAddress',
    isDefault: false,
  },
  {
    key: 'os',
    fields: ['os'],
    title: 'Operating system',
    width: 9.5,
    grow: 1.2,
    cell: ({ os }) => os,
    sort: 'os',
    isDefault: true,
  },
  {
    key: 'model',
    fields: ['vendor', 'model'],
    title: 'Make and model',
    width: 11,
    grow: 1.4,
    cell: ({ vendor, model }) => [vendor, model].filter(Boolean).join(' '),
    sort: 'model',
    isDefault: true,
  },
  {
    key: 'risk',
    fields: ['riskScore'],
    title: 'Risk',
    width: 7,
    grow: 0,
    cell: ({ riskScore, state }) => <RiskScore score={riskScore} state={state} />,
    sort: 'riskScore',
    isDefault: true,
  },
  {
    key: 'serial',
    fields: ['serial'],
    title: 'Serial',
    width: 8,
    grow: 1,
    cell: ({ serial }) => code(serial),
    sort: 'serial',
    isDefault: false,
  },
  {
    key: 'tags',
    fields: ['tags'],
    title: 'Tags',
    width: 8,
    grow: 1,
    fillsWidth: true,
    cell: ({ tags }) => <Tags tags={tags} />,
    isDefault: true,
  },
  {
    key: 'confidence',
    fields: ['confidence'],
    title: 'Confidence',
    width: 6.5,
    grow: 0,
    cell: ({ confidence }) => percent(confidence),
    sort: 'confidence',
    isDefault: false,
  },
  {
    key: 'firstSeen',
    fields: ['firstSeen'],
    title: 'First seen',
    width: 7.5,
    grow: 0,
    cell: ({ firstSeen }) => <Time at={firstSeen} />,
    sort: 'firstSeen',
    isDefault: false,
  },
  {
    key: 'lastSeen',
    fields: ['lastSeen'],
    title: 'Last seen',
    width: 8,
    grow: 0,
    cell: ({ lastSeen }) => <LastSeen at={lastSeen} />,
    sort: 'lastSeen',
    isDefault: true,
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
  isDefault: false,
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

function Tags({ tags }: { readonly tags: readonly string[] }) {
  return (
    <span className={styles['tags']} title={tags.join(', ')}>
      {tags.map((tag) => (
        <Chip key={tag}>{tag}</Chip>
      ))}
    </span>
  )
}
