import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { OverridesNeedApprovalDocument, SetOverridesNeedApprovalDocument } from '#api/generated/operations.ts'
import { q, useChange } from '#api/queries.ts'
import { useMay } from '#api/use-may.ts'
import { Panel } from '#ui/panel.tsx'
import { Problem } from '#ui/problem.tsx'

/** Whether a second person has to agree to what is decided about findings. */
export function ApprovalPanel() {
  const may = useMay()
  const { data, error, refetch } = useQuery(q(OverridesNeedApprovalDocument, {}))
  const set = useChange(SetOverridesNeedApprovalDocument, {
    done: ({ setOverridesNeedApproval }) =>
      setOverridesNeedApproval ? 'Decisions now wait for a second person' : 'Decisions now count at once',
  })
  return (
    <Panel title="Decisions about vulnerabilities">
      {error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <Switch
          label="A second person approves"
          description="Until then a decision changes nothing. What was decided before stays as it is."
          disabled={!data || set.isPending || !may('settings:write')}
          checked={data?.overridesNeedApproval ?? false}
          onChange={({ currentTarget }) => set.mutate({ needed: currentTarget.checked })}
        />
      )}
    </Panel>
  )
}
