import { usePrefetchQuery } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import { useMemo, useState, type ReactNode } from 'react'
import { AssetRecordDocument, type AssetData } from '#api/generated/operations.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { AttachmentsPanel } from '#features/records/attachments/attachments-panel.tsx'
import { RecordPanel } from '#features/records/record-panel.tsx'
import { TouchesPanel } from '#features/scans/touches-panel.tsx'
import { AssetSoftwarePanel, SoftwareChangesPanel } from '#features/software/asset-software-panel.tsx'
import { RelationsPanel } from '#features/topology/relations-panel.tsx'
import { FindingList } from '#features/vulnerabilities/findings/finding-list.tsx'
import type { FindingOrder } from '#features/vulnerabilities/findings/finding-search-params.ts'
import { AssetRiskPanel } from '#features/vulnerabilities/risk/asset-risk-panel.tsx'
import { AfterLoading } from '#ui/after-loading.tsx'
import { AttributesPanel } from '../editing/attributes-panel.tsx'
import { CustomFieldsPanel } from '../editing/custom-fields-panel.tsx'
import { TagsPanel } from '../editing/tags-panel.tsx'
import { EvidencePanel } from '../evidence/evidence-panel.tsx'
import { PossibleDuplicatesPanel } from '../merging/possible-duplicates-panel.tsx'
import { RecognitionPanel } from '../recognition/recognition-panel.tsx'
import { AssetHistoryPanel } from './asset-history-panel.tsx'
import styles from './asset-page.module.css'
import type { AssetTab } from './asset-tab.ts'
import { InterfacesPanel } from './interfaces-panel.tsx'
import { ObservationsPanel } from './observations-panel.tsx'

interface AssetTabContentProps {
  readonly asset: AssetData['asset']
  readonly mayWrite: boolean
}

/** The part of an asset's page that the address names. */
export function AssetTabContent(props: AssetTabContentProps) {
  const { tab = 'overview' } = useSearch({ from: '/app/assets/$assetId' })
  const Content = contents[tab]
  return <Content {...props} />
}

const contents: Readonly<Record<AssetTab, (props: AssetTabContentProps) => ReactNode>> = {
  overview: Overview,
  software: ({ asset }) => <AssetSoftwarePanel assetId={asset.id} />,
  findings: Findings,
  network: Network,
  identity: Identity,
  changes: ({ asset }) => (
    <>
      <AssetHistoryPanel asset={asset} />
      <SoftwareChangesPanel assetId={asset.id} />
    </>
  ),
}

/** What is wrong, what it is, and whose it is. */
function Overview({ asset, mayWrite }: AssetTabContentProps) {
  const may = usePermission()
  const { id, attributes, customFields, tags } = asset
  usePrefetchQuery(q(AssetRecordDocument, { assetId: id }))
  return (
    <div className={styles['columns']}>
      <div className={styles['main']}>
        {may('vulnerabilities:read') && <AssetRiskPanel assetId={id} />}
        <AfterLoading>
          <AttributesPanel assetId={id} attributes={attributes} mayWrite={mayWrite} />
        </AfterLoading>
      </div>
      <div className={styles['side']}>
        <AfterLoading>
          <RecordPanel assetId={id} mayWrite={mayWrite} />
          <PossibleDuplicatesPanel asset={asset} />
          <TagsPanel key={tags.join()} assetId={id} tags={tags} mayWrite={mayWrite} />
          <CustomFieldsPanel assetId={id} values={customFields} mayWrite={mayWrite} />
          <RecognitionPanel assetId={id} mayWrite={mayWrite} />
          <AttachmentsPanel assetId={id} mayWrite={mayWrite} />
        </AfterLoading>
      </div>
    </div>
  )
}

function Findings({ asset: { id, archivedAt } }: AssetTabContentProps) {
  const [order, setOrder] = useState<FindingOrder>()
  const search = useMemo(() => ({ order }), [order])
  return <FindingList search={search} asset={{ id, isArchived: archivedAt !== null }} onOrder={setOrder} />
}

function Network({ asset, mayWrite }: AssetTabContentProps) {
  const { session } = useRouteContext({ from: '/app' })
  const may = usePermission()
  return (
    <div className={styles['columns']}>
      <div className={styles['main']}>
        <InterfacesPanel interfaces={asset.interfaces} />
        {may('scans:read') && session.limitedTo === null && <TouchesPanel assetId={asset.id} />}
      </div>
      <div className={styles['side']}>
        <RelationsPanel assetId={asset.id} mayWrite={mayWrite} />
      </div>
    </div>
  )
}

/** Why these observations are one asset, and what each of them said. */
function Identity({ asset, mayWrite }: AssetTabContentProps) {
  return (
    <>
      <EvidencePanel asset={asset} mayWrite={mayWrite} />
      <ObservationsPanel observations={asset.observations} />
    </>
  )
}
