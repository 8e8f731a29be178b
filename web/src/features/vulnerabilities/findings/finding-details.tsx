import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Gavel } from 'lucide-react'
import { useState } from 'react'
import { FindingDocument, type FindingData } from '#api/generated/vulnerabilities.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { decimal } from '#lib/numbers.ts'
import layout from '#ui/details.module.css'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Timeline } from '#ui/timeline.tsx'
import { Attribution } from './attribution.tsx'
import { remediationOf } from './remediation.ts'
import styles from './finding-details.module.css'
import { OverrideForm } from '../overrides/override-form.tsx'
import { SeverityMark, StatusBadge, statusName, Threat, UNCONFIRMED_BECAUSE } from '../finding-badges.tsx'
import { severityName } from '../severities.ts'
import { PendingApprovals } from '../overrides/pending-approvals.tsx'

/** One finding, and how it was derived. */
export function FindingDetails({ findingId }: { readonly findingId: string }) {
  const { data, error, refetch } = useQuery(q(FindingDocument, { id: findingId }))
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  return data ? <Detail finding={data.finding} /> : <SkeletonBlock />
}

type FindingOfAsset = FindingData['finding']

function Detail({ finding }: { readonly finding: FindingOfAsset }) {
  return (
    <div className={layout['body']}>
      <Head finding={finding} />
      <p className={styles['description']}>{finding.description || 'No feed describes it.'}</p>
      {finding.isUnconfirmed && finding.status === 'open' && (
        <p className={styles['description']} role="note">
          {UNCONFIRMED_BECAUSE}
          <br />
          <span className="quiet">
            A scan that logs in, an agent or a bill of materials with all packages would tell.
          </span>
        </p>
      )}
      <Facts finding={finding} />
      <PendingApprovals cveId={finding.cveId} />
      <OverrideActions finding={finding} />
      <section>
        <h4 className={layout['part']}>What says so</h4>
        {finding.attributions.map((it) => (
          <Attribution key={it.id} attribution={it} />
        ))}
      </section>
      <section>
        <h4 className={layout['part']}>History</h4>
        <Timeline
          entries={finding.history.map((it, i) => ({
            id: String(i),
            at: it.at,
            title: statusName(it.status),
            text: `${it.why} · ${severityName(it.severity)} ${decimal(it.cvssScore, 1)}`,
          }))}
        />
      </section>
    </div>
  )
}

function Head({ finding }: { readonly finding: FindingOfAsset }) {
  const {
    cveId,
    assetId,
    assetName,
    severity,
    cvssScore,
    isScored,
    isUnconfirmed,
    status,
    kevAddedOn,
    epss,
  } = finding
  return (
    <header className={styles['head']}>
      <h3 className={styles['cve']}>
        <Link to="/vulnerabilities/$cveId" params={{ cveId }}>
          {cveId}
        </Link>{' '}
        on{' '}
        <Link to="/assets/$assetId" params={{ assetId }}>
          {assetName}
        </Link>
      </h3>
      <div className={styles['marks']}>
        <SeverityMark severity={severity} score={cvssScore} isScored={isScored} />
        <StatusBadge status={status} isUnconfirmed={isUnconfirmed} />
        {(kevAddedOn !== null || epss !== null) && <Threat kevAddedOn={kevAddedOn} epss={epss} />}
      </div>
    </header>
  )
}

function Facts({ finding }: { readonly finding: FindingOfAsset }) {
  const closing = remediationOf(finding)
  return (
    <dl className={layout['facts']}>
      <dt>Software</dt>
      <dd>{finding.software}</dd>
      <dt>Fixed in</dt>
      <dd>{finding.fixedVersion || 'no fix is known'}</dd>
      {closing !== undefined && (
        <>
          <dt>To close it</dt>
          <dd>{closing}</dd>
        </>
      )}
    </dl>
  )
}

function OverrideActions({ finding }: { readonly finding: FindingOfAsset }) {
  const may = usePermission()
  const [isOverriding, setOverriding] = useState(false)
  if (!may('overrides:write') || finding.status !== 'open') return null
  return (
    <div>
      <Button
        variant="default"
        leftSection={<Gavel size={14} aria-hidden />}
        onClick={() => setOverriding(true)}
      >
        Override…
      </Button>
      {isOverriding && (
        <OverrideForm subject={{ cveId: finding.cveId, finding }} onClose={() => setOverriding(false)} />
      )}
    </div>
  )
}
