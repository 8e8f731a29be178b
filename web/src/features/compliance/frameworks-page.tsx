import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ClipboardCheck } from 'lucide-react'
import {
  AdoptFrameworkDocument,
  ComplianceFrameworksDocument,
  type FrameworkRow,
} from '#api/generated/compliance.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { count, percent } from '#lib/numbers.ts'
import { AfterLoading } from '#ui/after-loading.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'

/** Frameworks that are adopted, and those that can be. */
export function FrameworksPage() {
  const { data, error, refetch } = useQuery(q(ComplianceFrameworksDocument, {}))
  const all = data?.complianceFrameworks
  return (
    <Page
      title="Compliance"
      description="Controls of frameworks, judged by what is known of the assets: whenever an asset changes, and every hour."
      actions={
        <Button variant="default" renderRoot={(props) => <Link to="/compliance/exceptions" {...props} />}>
          Exceptions
        </Button>
      }
    >
      <Panel isFlush title="Adopted" aside="score: pass, of pass or fail; coverage: judged, of all">
        <DataTable
          label="Adopted frameworks"
          columns={adopted}
          rows={all?.filter(({ adoptedAt }) => adoptedAt !== null)}
          keyOf={({ slug }) => slug}
          error={error}
          onRetry={() => void refetch()}
          empty={
            <EmptyState icon={ClipboardCheck} title="No framework adopted">
              Adopt one below: its controls are judged at once, and you see what fails, why, and what to do
              first.
            </EmptyState>
          }
        />
      </Panel>
      <AfterLoading>
        <Panel isFlush title="Not adopted">
          <DataTable
            label="Frameworks that can be adopted"
            columns={others}
            rows={all?.filter(({ adoptedAt }) => adoptedAt === null)}
            keyOf={({ slug }) => slug}
            error={error}
            onRetry={() => void refetch()}
            empty={<p className="quiet">All frameworks are adopted.</p>}
          />
        </Panel>
      </AfterLoading>
    </Page>
  )
}

const adopted: readonly Column<FrameworkRow>[] = [
  {
    title: 'Framework',
    sortBy: ({ title }) => title,
    cell: ({ slug, title, version }) => (
      <TwoLines below={version}>
        <Link to="/compliance/$framework" params={{ framework: slug }}>
          {title}
        </Link>
      </TwoLines>
    ),
  },
  { title: 'Fail', sortBy: ({ fail }) => fail, align: 'right', cell: ({ fail }) => count(fail) },
  {
    title: 'Warning',
    sortBy: ({ warning }) => warning,
    align: 'right',
    cell: ({ warning }) => count(warning),
  },
  { title: 'Pass', sortBy: ({ pass }) => pass, align: 'right', cell: ({ pass }) => count(pass) },
  {
    title: 'Score',
    isMinor: true,
    align: 'right',
    sortBy: ({ score }) => score,
    cell: ({ score }) => (score === null ? <span className="quiet">none yet</span> : percent(score)),
  },
  {
    title: 'Coverage',
    isMinor: true,
    align: 'right',
    sortBy: ({ coverage }) => coverage,
    cell: ({ coverage }) => percent(coverage),
  },
]

const others: readonly Column<FrameworkRow>[] = [
  {
    title: 'Framework',
    cell: ({ title, version, licence }) => (
      <TwoLines below={licence}>
        {title} {version}
      </TwoLines>
    ),
  },
  { title: 'Controls', isMinor: true, align: 'right', cell: ({ controls }) => count(controls) },
  { title: 'Judged by checks', isMinor: true, align: 'right', cell: ({ judgeable }) => count(judgeable) },
  { title: '', align: 'right', cell: ({ slug, title }) => <AdoptButton slug={slug} title={title} /> },
]

function AdoptButton({ slug, title }: { readonly slug: string; readonly title: string }) {
  const may = usePermission()
  const navigate = useNavigate()
  const adopt = useChange(AdoptFrameworkDocument, {
    done: 'Adopted: the first round is under way',
    onDone: () => void navigate({ to: '/compliance/$framework', params: { framework: slug } }),
  })
  return (
    <Button
      variant="default"
      aria-label={`Adopt ${title}`}
      disabled={!may('compliance:write')}
      title={may('compliance:write') ? undefined : 'Your role cannot adopt frameworks'}
      loading={adopt.isPending}
      onClick={() => adopt.mutate({ framework: slug })}
    >
      Adopt
    </Button>
  )
}
