import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { send } from '#api/client.ts'
import {
  ComplianceFrameworkDocument,
  ExportComplianceAssessmentDocument,
  type FrameworkRow,
} from '#api/generated/compliance.ts'
import { q } from '#api/query-client.ts'
import { useDownload } from '#api/use-download.ts'
import { usePermission } from '#api/use-permission.ts'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { AfterLoading } from '#ui/after-loading.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { saveFile } from '#lib/save-file.ts'
import { CheckForm } from './check-form.tsx'
import { FirstPanel, UnknownPanel } from './checks-panels.tsx'
import { MonthsPanel } from './months-panel.tsx'
import { SectionsPanel } from './sections/sections-panel.tsx'
import { StatementsPanel } from './statements/statements-panel.tsx'
import { SummaryPanel } from './summary-panel.tsx'
import { TextsPanel } from './texts-panel.tsx'

/** Until the first round has judged something. */
const ASK_AGAIN_MS = 2_000

/** One framework: where it stands, what to do first, then its sections. Its controls have a list of their own. */
export function FrameworkPage() {
  const { framework: slug } = useParams({ from: '/app/compliance/$framework' })
  const { data, error, refetch } = useQuery({
    ...q(ComplianceFrameworkDocument, { framework: slug }),
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
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link
            to="/compliance/controls"
            search={{ where: compareTerm('framework', [framework]) }}
            {...props}
          />
        )}
      >
        All controls
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
