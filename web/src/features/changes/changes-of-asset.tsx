import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import {
  ChangesOfAssetDocument,
  type ChangesOfAssetData,
  type ChangesOfAssetVariables,
} from '#api/generated/changes.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { count } from '#lib/numbers.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import { fieldName, KIND, valueText, whoName } from './change-words.ts'
import styles from './changes-of-asset.module.css'

type Change = ChangesOfAssetData['changes']['items'][number]

export type WantedOfAsset = Omit<ChangesOfAssetVariables, 'assetId' | 'first'>

const SIZE = 25
const ROWS_MAX = 500

interface ChangesOfAssetProps {
  readonly assetId: string | null
  readonly wanted: WantedOfAsset
}

/** Each change of an asset, the latest first. */
export function ChangesOfAsset({ assetId, wanted }: ChangesOfAssetProps) {
  const [first, setFirst] = useState(SIZE)
  const may = usePermission()
  const { data, error, refetch, isFetching } = useQuery({
    ...q(ChangesOfAssetDocument, {
      ...wanted,
      // those without an asset have one kind of their own
      ...(assetId === null ? { kinds: ['source_connected'] } : { assetId }),
      first,
    }),
    placeholderData: keepPreviousData,
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data) return <SkeletonBlock />
  const { items, total } = data.changes
  return (
    <div>
      {items.length === 0 && <p className="quiet">No change is recorded.</p>}
      <ul>
        {items.map((change) => (
          <li key={change.position} className={styles['change']}>
            <span className={styles['kind']}>{KIND[change.kind]}</span>
            <span className={styles['what']}>{whatOf(change)}</span>
            <span className={styles['who']}>
              {whoName(change.changedBy)} · <Time at={change.at} />
            </span>
          </li>
        ))}
      </ul>
      <p className={styles['below']}>
        {total > items.length && first < ROWS_MAX && (
          <Button size="compact-sm" variant="default" loading={isFetching} onClick={() => setFirst(ROWS_MAX)}>
            Show all {count(total)}
          </Button>
        )}
        {total > items.length && first >= ROWS_MAX && `The latest ${count(ROWS_MAX)} of ${count(total)}`}
        {assetId !== null && may('audit:read') && (
          <Link to="/audit" search={{ text: assetId }}>
            In the audit log
          </Link>
        )}
      </p>
    </div>
  )
}

function whatOf({ kind, subject, before, after, relatedId }: Change): ReactNode {
  if (kind === 'source_connected' || kind === 'asset_merged') return subject
  if (kind === 'port_opened' || kind === 'port_closed') return `Port ${subject}`
  if (kind === 'asset_split')
    return relatedId === null ? (
      subject
    ) : (
      <Link to="/assets/$assetId" params={{ assetId: relatedId }}>
        {subject || 'another asset'}
      </Link>
    )
  const isFinding = kind === 'finding_opened' || kind === 'finding_closed'
  return (
    <>
      {isFinding && (
        <Link to="/vulnerabilities/$cveId" params={{ cveId: subject }}>
          {subject}
        </Link>
      )}
      {kind === 'field_changed' && `${fieldName(subject)}:`}
      {!isFinding && kind !== 'field_changed' && subject}{' '}
      <FromTo
        before={isFinding ? statusName(before) : before}
        after={isFinding ? statusName(after) : after}
      />
    </>
  )
}

/** Of a finding, as its badge has it. */
const statusName = (status: unknown): unknown =>
  typeof status === 'string' && status !== '' ? sentenceCase(status) : status

function FromTo({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  const [was, is] = [valueText(before), valueText(after)]
  if (was === null && is === null) return null
  return (
    <>
      {was !== null && <del className={styles['was']}>{was}</del>}
      {was !== null && ' → '}
      {is === null ? <span className="quiet">nothing</span> : <span className={styles['is']}>{is}</span>}
    </>
  )
}
