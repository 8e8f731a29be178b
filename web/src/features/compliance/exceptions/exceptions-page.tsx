import { Switch } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  ComplianceExceptionsNeedApprovalDocument,
  ComplianceExceptionsOfDocument,
  SetComplianceExceptionsNeedApprovalDocument,
} from '#api/generated/checks.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { ExceptionsTable } from './exceptions-table.tsx'

const SIZE = 50

/** All exceptions, the newest first. */
export function ExceptionsPage() {
  const [offset, setOffset] = useOffset('Exceptions')
  const { data, error, refetch } = useQuery({
    ...q(ComplianceExceptionsOfDocument, { checkIds: null, first: SIZE, offset }),
    placeholderData: keepPreviousData,
  })
  const total = data?.complianceExceptions.total
  return (
    <Page
      title="Exceptions"
      description="Failures of checks that somebody accepts for a time. A new one is made on the page of its check or control."
    >
      <Panel isFlush>
        <ExceptionsTable
          rows={data?.complianceExceptions.items}
          error={error}
          onRetry={() => void refetch()}
          empty="No exception yet: every failure counts."
        />
        {total !== undefined && <Pagination total={total} offset={offset} size={SIZE} onOffset={setOffset} />}
      </Panel>
      <ApprovalSetting />
    </Page>
  )
}

function ApprovalSetting() {
  const may = usePermission()
  const { data } = useQuery(q(ComplianceExceptionsNeedApprovalDocument, {}))
  const set = useChange(SetComplianceExceptionsNeedApprovalDocument, {
    done: ({ setComplianceExceptionsNeedApproval: isNeeded }) =>
      isNeeded ? 'New exceptions wait for a second person' : 'New exceptions count at once',
  })
  return (
    <Panel title="Approval">
      <Switch
        label="A second person approves"
        description="Until then an exception changes nothing. Those that are in force stay so."
        disabled={!data || set.isPending || !may('settings:write')}
        checked={data?.complianceExceptionsNeedApproval ?? false}
        onChange={({ currentTarget }) => set.mutate({ needed: currentTarget.checked })}
      />
    </Panel>
  )
}
