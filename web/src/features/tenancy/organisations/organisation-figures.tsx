import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Operation } from '#api/client.ts'
import { OpenItemsDocument } from '#api/generated/notices.ts'
import {
  FailedScansDocument,
  OverviewDocument,
  OverviewRiskDocument,
  type OverviewRiskData,
} from '#api/generated/overview.ts'
import { isForbidden } from '#api/errors.ts'
import { qIn } from '#api/query-client.ts'
import { inTenant } from '#api/tenant-url.ts'
import { isAnythingAssessed } from '#features/vulnerabilities/assessment.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

// Figures of one tenant, each with a link to what it counts there.

interface OfTenant {
  readonly slug: string
}

export const AssetCount = ({ slug }: OfTenant) => (
  <Figure
    slug={slug}
    operation={OverviewDocument}
    path="/assets"
    show={({ overview }) => count(overview.total)}
  />
)

export const OpenFindings = ({ slug }: OfTenant) => (
  <Figure slug={slug} operation={OverviewRiskDocument} path="/vulnerabilities" show={findingsIn} />
)

export const FailedScanCount = ({ slug }: OfTenant) => (
  <Figure
    slug={slug}
    operation={FailedScansDocument}
    path="/scans"
    show={({ scans }) => count(scans.total)}
  />
)

export const WaitingCount = ({ slug }: OfTenant) => (
  <Figure
    slug={slug}
    operation={OpenItemsDocument}
    path="/"
    show={({ openItems }) => count(openItems.reduce((sum, { total }) => sum + total, 0))}
  />
)

/** None where nothing was assessed is unknown, not zero. */
function findingsIn({ assessment, findingsOverview }: OverviewRiskData): ReactNode {
  const open = findingsOverview.counts.filter(({ status }) => status === 'open')
  const n = open.reduce((sum, it) => sum + it.count, 0)
  const critical = open.reduce((sum, it) => (it.severity === 'critical' ? sum + it.count : sum), 0)
  if (n === 0 && !isAnythingAssessed(assessment)) return 'Not assessed'
  return (
    <>
      {critical > 0 && <Badge tone="bad" sign="!">{`${count(critical)} critical`}</Badge>} {count(n)}
    </>
  )
}

interface FigureProps<Data> extends OfTenant {
  readonly operation: Operation<Data, Record<string, never>>
  readonly path: string
  readonly show: (data: Data) => ReactNode
}

function Figure<Data>({ slug, operation, path, show }: FigureProps<Data>) {
  const { data, error, refetch } = useQuery(qIn(slug, operation, {}))
  if (data !== undefined) return <a href={inTenant(path, slug)}>{show(data)}</a>
  if (!error) return <Skeleton />
  if (isForbidden(error)) return <span className="quiet">Not for your role</span>
  return (
    <Button size="compact-sm" variant="subtle" title={error.message} onClick={() => void refetch()}>
      Try again
    </Button>
  )
}
