import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { FlaskConical, Save } from 'lucide-react'
import { ApiError, messageBesideField } from '#api/errors.ts'
import type { SimulatedChangeKind } from '#api/generated/enums-and-inputs.ts'
import { SimulationDocument } from '#api/generated/simulation.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { SaveSimulationForm } from './save-simulation-form.tsx'
import { SimulationForm } from './simulation-form.tsx'
import { SimulationResult } from './simulation-result.tsx'
import type { SimulationSearch } from './simulation-search-params.ts'

/** What a decision would do, before anybody makes it. The question stands in the address, so that it can be sent on. */
export function SimulationPage() {
  const search = useSearch({ from: '/app/simulation' })
  const navigate = useNavigate()
  const { kind } = search
  const { data, error, refetch, isFetching } = useQuery({
    ...q(SimulationDocument, variablesOf({ ...search, kind: kind ?? 'update_software' })),
    enabled: kind !== undefined,
    retry: false,
  })
  const fault = error instanceof ApiError && isFieldOfForm(error.field) ? error : undefined
  return (
    <Page
      title="Simulator"
      description="Risk, findings, failing controls, cost and licences before and after a change. It is worked out from what is known now; nothing is changed."
      actions={
        data && kind && <SaveButton search={{ ...search, kind }} sentence={data.simulation.sentence} />
      }
    >
      <Panel title="What would change if you…">
        <SimulationForm
          // another address fills the form anew
          key={JSON.stringify(search)}
          search={search}
          fault={fault && { field: fault.field ?? '', message: messageBesideField(fault) }}
          isBusy={isFetching}
          onAsk={(next) =>
            JSON.stringify(next) === JSON.stringify(search)
              ? void refetch()
              : void navigate({ to: '/simulation', search: next })
          }
        />
      </Panel>
      {error && !fault && <LoadError error={error} onRetry={() => void refetch()} />}
      {kind === undefined && <NothingAsked />}
      {kind !== undefined && !data && !error && (
        <Panel title="Before and after">
          <SkeletonBlock />
        </Panel>
      )}
      {data && <SimulationResult simulation={data.simulation} />}
    </Page>
  )
}

interface Asked extends SimulationSearch {
  readonly kind: SimulatedChangeKind
}

const variablesOf = ({ kind, name, version, by, where }: Asked) => ({
  kind,
  name: name ?? null,
  version: version ?? null,
  by: by ?? null,
  where: where ?? null,
})

const isFieldOfForm = (field: string | undefined): boolean =>
  field !== undefined && ['name', 'version', 'by', 'where'].includes(field)

interface SaveButtonProps {
  readonly search: SimulationSearch
  /** Undefined: there is no answer yet. */
  readonly sentence: string | undefined
}

function SaveButton({ search: { kind, ...search }, sentence }: SaveButtonProps) {
  const may = usePermission()
  const [isSaving, saving] = useDisclosure(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<Save size={14} aria-hidden />}
        disabled={sentence === undefined || !may('reports:write')}
        title={may('reports:write') ? undefined : 'Your role does not make reports'}
        onClick={saving.open}
      >
        Save as report
      </Button>
      {isSaving && kind !== undefined && sentence !== undefined && (
        <SaveSimulationForm
          question={variablesOf({ ...search, kind })}
          sentence={sentence}
          onClose={saving.close}
        />
      )}
    </>
  )
}

function NothingAsked() {
  return (
    <Panel>
      <EmptyState icon={FlaskConical} title="Ask before you decide">
        For example: update Firefox everywhere, replace the computers of one department by the end of June, or
        retire Windows 10.
      </EmptyState>
    </Panel>
  )
}
