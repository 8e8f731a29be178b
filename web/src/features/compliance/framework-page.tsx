import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { send } from '#api/client.ts'
import {
  ComplianceFrameworkDocument,
  ExportComplianceAssessmentDocument,
  type ControlRow,
  type FrameworkRow,
} from '#api/generated/compliance.ts'
import { q } from '#api/query-client.ts'
import { useDownload } from '#api/use-download.ts'
import { usePermission } from '#api/use-permission.ts'
import { AfterLoading } from '#ui/after-loading.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Time } from '#ui/time.tsx'
import { saveFile } from '#lib/save-file.ts'
import { CheckForm } from './check-form.tsx'
import { FirstPanel, UnknownPanel } from './checks-panels.tsx'
import { STATUSES, statusesOf } from './control-search-params.ts'
import { MonthsPanel } from './months-panel.tsx'
import { SectionsPanel } from './sections/sections-panel.tsx'
import { StatementsPanel } from './statements/statements-panel.tsx'
import { StatusBadge } from './status-badge.tsx'
import { SummaryPanel } from './summary-panel.tsx'
import { TextsPanel } from './texts-panel.tsx'

/** Until the first round has judged something. */
const ASK_AGAIN_MS = 2_000

/** One framework: what to do first, then every control that has a status, with its reasons. */
export function FrameworkPage() {
  const { framework: slug } = useParams({ from: '/app/compliance/$framework' })
  const search = useSearch({ from: '/app/compliance/$framework' })
  const { data, error, refetch } = useQuery({
    ...q(ComplianceFrameworkDocument, { framework: slug, statuses: statusesOf(search) }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data: known } }) =>
      isWaiting(known?.complianceFrameworks.find((it) => it.slug === slug)) ? ASK_AGAIN_MS : false,
  })
  const framework = data?.complianceFrameworks.find((it) => it.slug === slug)
  const state = { error, onRetry: () => void refetch() }
  if (error && !framework) return <LoadError error={error} onRetry={state.onRetry} />
  return (
    <Page
      title={framework ? `${framework.title} ${framework.version}` : 'Framework'}
      actions={framework && <Actions framework={slug} isAdopted={framework.adoptedAt !== null} />}
    >
      {framework && <SummaryPanel framework={framework} />}
      <AfterLoading>
        <FirstPanel framework={slug} checks={data?.complianceChecks} {...state} />
        <UnknownPanel framework={slug} checks={data?.complianceChecks} />
        <div id="controls">
          <Panel
            isFlush
            title="Controls"
            aside={search.controls && <OneStatus framework={slug} status={search.controls} />}
          >
            <DataTable
              label="Controls"
              columns={controlsOf(slug)}
              rows={data?.complianceControls.filter((it) => it.status !== null).toSorted(worstFirst)}
              keyOf={({ id }) => id}
              {...state}
              empty={<p className="quiet">No control has this status.</p>}
            />
          </Panel>
        </div>
        <SectionsPanel framework={slug} />
        <AfterLoading>
          <MonthsPanel framework={slug} />
          <StatementsPanel framework={slug} />
          <TextsPanel framework={slug} />
        </AfterLoading>
      </AfterLoading>
    </Page>
  )
}

const isWaiting = (framework: FrameworkRow | undefined): boolean =>
  framework?.adoptedAt != null && framework.pass + framework.warning + framework.fail === 0

function OneStatus({
  framework,
  status,
}: {
  readonly framework: string
  readonly status: ControlRow['status']
}) {
  return (
    <>
      <StatusBadge status={status} />{' '}
      <Link to="/compliance/$framework" params={{ framework }} search={{}} hash="controls">
        Show all
      </Link>
    </>
  )
}

const worstFirst = (a: ControlRow, b: ControlRow): number => rankOf(a) - rankOf(b)

const rankOf = ({ status }: ControlRow): number =>
  status === null ? STATUSES.length : STATUSES.indexOf(status)

interface ActionsProps {
  readonly framework: string
  readonly isAdopted: boolean
}

function Actions({ framework, isAdopted }: ActionsProps) {
  const may = usePermission()
  const [isOpen, setOpen] = useState(false)
  const results = useDownload(downloadResults)
  return (
    <>
      <Button variant="default" renderRoot={(props) => <Link to="/compliance" {...props} />}>
        Frameworks
      </Button>
      <Button variant="default" renderRoot={(props) => <Link to="/compliance/exceptions" {...props} />}>
        Exceptions
      </Button>
      {isAdopted && may('assets:read') && (
        <Button variant="default" loading={results.isPending} onClick={() => results.mutate(framework)}>
          Download results (OSCAL)
        </Button>
      )}
      {may('compliance:write') && (
        <Button variant="default" onClick={() => setOpen(true)}>
          Write a check…
        </Button>
      )}
      {isOpen && (
        <CheckForm
          title="A check of your own"
          initial={{ ...EMPTY, controls: `${framework} ` }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

async function downloadResults(framework: string): Promise<void> {
  const { exportComplianceAssessment: file } = await send(ExportComplianceAssessmentDocument, { framework })
  const bytes = Uint8Array.from(atob(file.content), (it) => it.codePointAt(0) ?? 0)
  saveFile(file.fileName, new Blob([bytes], { type: 'application/json' }))
}

const EMPTY = { title: '', scope: '', condition: '', severity: 'medium', tolerance: '0', next: '' } as const

const controlsOf = (framework: string): readonly Column<ControlRow>[] => [
  {
    title: 'Control',
    sortBy: ({ id }) => id,
    cell: ({ id, title, why }) => (
      <TwoLines below={why.join(' ')}>
        <Link to="/compliance/$framework/controls/$controlId" params={{ framework, controlId: id }}>
          {`${id} ${title}`}
        </Link>
      </TwoLines>
    ),
  },
  { title: 'Status', sortBy: ({ status }) => status, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: 'Since',
    sortBy: ({ since }) => since,
    isMinor: true,
    cell: ({ since }) => (since === null ? null : <Time at={since} />),
  },
]
