import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  OverridesNeedApprovalDocument,
  SetOverridesNeedApprovalDocument,
} from '#api/generated/vulnerabilities.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { Panel } from '#ui/panel.tsx'
import { LoadError } from '#ui/load-error.tsx'

/** Whether a second person has to approve overrides. */
export function ApprovalSetting() {
  const may = usePermission()
  const { data, error, refetch } = useQuery(q(OverridesNeedApprovalDocument, {}))
  const set = useChange(SetOverridesNeedApprovalDocument, {
    done: ({ setOverridesNeedApproval }) =>
      setOverridesNeedApproval ? 'Overrides now wait for a second person' : 'Overrides now count at once',
  })
  return (
    <Panel title="Overrides of vulnerabilities">
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : (
        <Switch
          label="A second person approves"
          description="Until then an override changes nothing. Overrides that are in force stay so."
          disabled={!data || set.isPending || !may('settings:write')}
          checked={data?.overridesNeedApproval ?? false}
          onChange={({ currentTarget }) => set.mutate({ needed: currentTarget.checked })}
        />
      )}
    </Panel>
  )
}
