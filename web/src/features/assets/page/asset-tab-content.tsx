import { usePrefetchQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Suspense, type ComponentType } from 'react'
import { lazyScreen } from '#api/lazy-screen.ts'
import { AssetRecordDocument } from '#api/generated/records.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { AttachmentsPanel } from '#features/records/attachments/attachments-panel.tsx'
import { RecordPanel } from '#features/records/record-panel.tsx'
import { AssetRiskPanel } from '#features/vulnerabilities/risk/asset-risk-panel.tsx'
import { AfterLoading } from '#ui/after-loading.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { AttributesPanel } from '../editing/attributes-panel.tsx'
import { CustomFieldsPanel } from '../editing/custom-fields-panel.tsx'
import { TagsPanel } from '../editing/tags-panel.tsx'
import { PossibleDuplicatesPanel } from '../merging/possible-duplicates-panel.tsx'
import { RecognitionPanel } from '../recognition/recognition-panel.tsx'
import styles from './asset-page.module.css'
import { installedQuery, RunsPanel } from './runs-panel.tsx'
import type { AssetTab } from './asset-tab.ts'
import type { AssetTabProps } from './tabs/asset-tab-props.ts'

/** The part of an asset's page that the address names. */
export function AssetTabContent(props: AssetTabProps) {
  const { tab = 'overview' } = useSearch({ from: '/app/assets/$assetId' })
  const Content = contents[tab]
  return (
    <Suspense fallback={<Loading />}>
      <Content {...props} />
    </Suspense>
  )
}

/** The overview comes with the page, each other part when it is opened. */
const contents: Readonly<Record<AssetTab, ComponentType<AssetTabProps>>> = {
  overview: Overview,
  software: lazyScreen(() => import('./tabs/software-tab.tsx'), 'SoftwareTab'),
  findings: lazyScreen(() => import('./tabs/findings-tab.tsx'), 'FindingsTab'),
  compliance: lazyScreen(() => import('./tabs/compliance-tab.tsx'), 'ComplianceTab'),
  network: lazyScreen(() => import('./tabs/network-tab.tsx'), 'NetworkTab'),
  identity: lazyScreen(() => import('./tabs/identity-tab.tsx'), 'IdentityTab'),
  changes: lazyScreen(() => import('./tabs/changes-tab.tsx'), 'ChangesTab'),
}

const Loading = () => (
  <Panel>
    <SkeletonBlock label="Loading this part of the asset" />
  </Panel>
)

/** What is wrong, what runs there, what it is, and whose it is. */
function Overview({ asset, mayWrite }: AssetTabProps) {
  const may = usePermission()
  const { id, attributes, customFields, tags } = asset
  usePrefetchQuery(q(AssetRecordDocument, { assetId: id }))
  usePrefetchQuery(installedQuery(id))
  return (
    <div className={styles['columns']}>
      <div className={styles['main']}>
        {may('vulnerabilities:read') && <AssetRiskPanel assetId={id} />}
        <AfterLoading>
          <RunsPanel asset={asset} />
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
