import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { Suspense, useState } from 'react'
import { AssetRecordDocument } from '#api/generated/records.ts'
import { lazyScreen } from '#api/lazy-screen.ts'
import { q } from '#api/query-client.ts'
import { ago, day, dayIn } from '#lib/dates.ts'
import { amount, many } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { daysUntil, stateName, type AssetRecord } from './record-fields.ts'
import styles from './record-panel.module.css'

/** Its many fields are needed by whoever edits. */
const RecordFormDialog = lazyScreen(() => import('./record-form.tsx'), 'RecordFormDialog')

interface RecordPanelProps {
  readonly assetId: string
  readonly mayWrite: boolean
}

/** What people and imports recorded of an asset: owner, place, state, purchase, warranty, notes. */
export function RecordPanel({ assetId, mayWrite }: RecordPanelProps) {
  const { data, error, refetch } = useQuery(q(AssetRecordDocument, { assetId }))
  const [isEditing, setEditing] = useState(false)
  const record = data?.assetRecord
  return (
    <Panel
      title="Record"
      aside={
        mayWrite &&
        record && (
          <Button
            variant="default"
            leftSection={<Pencil size={13} aria-hidden />}
            onClick={() => setEditing(true)}
          >
            Edit record
          </Button>
        )
      }
    >
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!record && !error && <SkeletonBlock label="Loading the record" />}
      {record && <Facts record={record} />}
      {record && isEditing && (
        <Suspense fallback={null}>
          <RecordFormDialog assetId={assetId} record={record} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </Panel>
  )
}

/** In the order in which they are displayed. */
const labels = {
  owner: 'Owner',
  department: 'Department',
  costCentre: 'Cost centre',
  placeId: 'Place',
  state: 'State',
  purchasedOn: 'Purchased',
  price: 'Price',
  supplier: 'Supplier',
  orderNumber: 'Order number',
  warrantyEnds: 'Warranty',
  leaseEnds: 'Lease',
  replaceOn: 'Replace on',
  hardwareEol: 'Hardware support',
  approved: 'Approved',
  externallyScannedOn: 'Scanned from outside',
  notes: 'Notes',
} as const
type Field = keyof typeof labels

function Facts({ record }: { readonly record: AssetRecord }) {
  const fields = Object.keys(labels) as Field[]
  const known = fields.flatMap((field) => {
    const text = textOf(record, field)
    return text ? [{ field, text }] : []
  })
  if (known.length === 0)
    return <p className="quiet">Nothing is recorded yet: whose it is, where, what it cost.</p>
  return (
    <>
      <dl>
        {known.map(({ field, text }) => (
          <div key={field} className={styles['fact']}>
            <dt>{labels[field]}</dt>
            <dd className={styles['value']} title={originOf(record, field)}>
              {isEnd(field) ? <EndsOn date={text} isPlan={field === 'replaceOn'} /> : text}
              {field === 'placeId' && record.placeFrom === 'network' && (
                <span className="quiet"> by its address</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <Imports record={record} />
    </>
  )
}

function textOf(record: AssetRecord, field: Field): string | null | undefined {
  if (field === 'owner') return record.ownerName ?? record.owner
  if (field === 'placeId') return record.place?.path
  if (field === 'state') return record.state && stateName(record.state)
  if (field === 'purchasedOn') return record.purchasedOn && day(record.purchasedOn)
  if (field === 'price') return record.price && `${amount(record.price)} ${record.currency ?? ''}`
  if (field === 'externallyScannedOn') return record.externallyScannedOn && day(record.externallyScannedOn)
  return record[field]
}

const isEnd = (field: Field): boolean =>
  ['warrantyEnds', 'leaseEnds', 'replaceOn', 'hardwareEol'].includes(field)

/** Who said it, for those who point at it. */
function originOf(record: AssetRecord, field: Field): string | undefined {
  const origin = record.origins.find((it) => it.field === field)
  return origin && `${origin.source === 'import' ? 'imported from ' : ''}${origin.by}, ${ago(origin.at)}`
}

/** The files that values come from, with the time of the last. */
function Imports({ record }: { readonly record: AssetRecord }) {
  const imported = record.origins.filter(({ source }) => source === 'import')
  return [...Map.groupBy(imported, ({ by }) => by)].map(([by, origins]) => (
    <p key={by} className={`quiet ${styles['origin']}`}>
      {many(origins.length, 'value')} imported from {by},{' '}
      {ago(
        origins
          .map(({ at }) => at)
          .sort()
          .at(-1) ?? '',
      )}
    </p>
  ))
}

const SOON_DAYS = 90

function EndsOn({ date, isPlan = false }: { readonly date: string; readonly isPlan?: boolean }) {
  const days = daysUntil(date, dayIn(0))
  return (
    <>
      {day(date)}{' '}
      {days < 0 && (
        <Badge tone={isPlan ? 'warn' : 'bad'} sign="!">
          {isPlan ? 'Due' : 'Ended'}
        </Badge>
      )}
      {days >= 0 && days <= SOON_DAYS && (
        <Badge tone="warn" sign="◐">
          {days === 0 ? 'Today' : `In ${days} days`}
        </Badge>
      )}
    </>
  )
}
