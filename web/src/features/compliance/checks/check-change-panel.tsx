import { Alert, Button, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  ComplianceCheckChangeDocument,
  UpdateComplianceCheckDocument,
  type ComplianceCheckData,
  type JudgedCheckDetail,
} from '#api/generated/checks.ts'
import { ApiError, messageBesideField, messageOf } from '#api/errors.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { Panel } from '#ui/panel.tsx'
import { CheckChangePreview } from './check-change-preview.tsx'

interface CheckChangePanelProps {
  readonly check: JudgedCheckDetail
  readonly countsFor: ComplianceCheckData['complianceCheck']['countsFor']
}

interface Conditions {
  readonly scope: string
  readonly condition: string
}

/** Try another condition: what it would do to which assets is seen before it can be saved. */
export function CheckChangePanel({ check, countsFor }: CheckChangePanelProps) {
  const [typed, setTyped] = useState<Conditions>({ scope: check.scope, condition: check.condition })
  const [asked, setAsked] = useState<Conditions>()
  const preview = useQuery({
    ...q(ComplianceCheckChangeDocument, { checkId: check.id, scope: '', condition: '', ...asked }),
    enabled: asked !== undefined,
    retry: false,
  })
  const isAsked = asked?.scope === typed.scope && asked.condition === typed.condition
  return (
    <Panel title="Try a change">
      <ConditionFields typed={typed} onChange={setTyped} error={isAsked ? preview.error : null} />
      <p>
        <Button variant="default" loading={preview.isFetching} onClick={() => setAsked({ ...typed })}>
          Preview
        </Button>{' '}
        {check.isOwn && (
          <SaveButton
            check={check}
            countsFor={countsFor}
            typed={typed}
            isPreviewed={isAsked && preview.isSuccess}
          />
        )}
      </p>
      {!check.isOwn && (
        <p className="quiet">This check comes with the product and is not changed; a copy of it can be.</p>
      )}
      {isAsked && preview.error && faultAt(preview.error) !== undefined && (
        <Alert color="red" variant="light" role="alert">
          {faultAt(preview.error)}
        </Alert>
      )}
      {isAsked && preview.data && <CheckChangePreview change={preview.data.complianceCheckChange} />}
    </Panel>
  )
}

interface ConditionFieldsProps {
  readonly typed: Conditions
  readonly onChange: (typed: Conditions) => void
  readonly error: Error | null
}

const ConditionFields = ({ typed, onChange, error }: ConditionFieldsProps) => (
  <>
    <Textarea
      label="Scope"
      description="Which assets it is about; empty: all."
      autosize
      value={typed.scope}
      error={faultAt(error, 'scope')}
      onChange={({ currentTarget: { value: scope } }) => onChange({ ...typed, scope })}
    />
    <Textarea
      label="Condition"
      description="What must hold for each of them."
      mt="sm"
      autosize
      value={typed.condition}
      error={faultAt(error, 'condition')}
      onChange={({ currentTarget: { value: condition } }) => onChange({ ...typed, condition })}
    />
  </>
)

interface SaveButtonProps extends CheckChangePanelProps {
  readonly typed: Conditions
  readonly isPreviewed: boolean
}

function SaveButton({ check, countsFor, typed, isPreviewed }: SaveButtonProps) {
  const may = usePermission()
  const save = useChange(UpdateComplianceCheckDocument, { done: 'Saved; the check is judged anew' })
  if (!may('compliance:write')) return null
  return (
    <Button
      disabled={!isPreviewed}
      title={isPreviewed ? undefined : 'Preview it first'}
      loading={save.isPending}
      onClick={() => save.mutate({ id: check.id, check: { ...inputOf(check, countsFor), ...typed } })}
    >
      Save
    </Button>
  )
}

const fields: readonly string[] = ['scope', 'condition']

/** Of a field, or without one what is said of neither. */
function faultAt(error: Error | null, field?: string): string | undefined {
  if (!error) return undefined
  if (error instanceof ApiError && error.field !== undefined && fields.includes(error.field))
    return error.field === field ? messageBesideField(error) : undefined
  return field === undefined ? messageOf(error) : undefined
}

const inputOf = (
  { title, severity, next, tolerance }: JudgedCheckDetail,
  countsFor: CheckChangePanelProps['countsFor'],
) => ({
  title,
  severity,
  next,
  tolerance,
  controls: countsFor.map(({ framework, controlId }) => ({ framework, controlId })),
})
