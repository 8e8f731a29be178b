import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ComplianceExceptionsOfDocument } from '#api/generated/checks.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { Panel } from '#ui/panel.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import type { ExceptionSubject } from './exception.ts'
import { ExceptionForm } from './exception-form.tsx'
import { ExceptionsTable } from './exceptions-table.tsx'

const SIZE = 20

interface ExceptionsPanelProps {
  readonly checkIds: readonly string[]
  /** What a new exception is from; those from a control are listed as well. */
  readonly subject: ExceptionSubject
}

/** Exceptions from some checks and a control, those that have ended too. */
export function ExceptionsPanel({ checkIds, subject }: ExceptionsPanelProps) {
  const may = usePermission()
  const [offset, setOffset] = useOffset('Exceptions')
  const [isAdding, setAdding] = useState(false)
  const { data, error, refetch } = useQuery({
    ...q(ComplianceExceptionsOfDocument, {
      checkIds: [...checkIds],
      ...('controlId' in subject && { framework: subject.framework, controlId: subject.controlId }),
      first: SIZE,
      offset,
    }),
    enabled: checkIds.length > 0,
  })
  if (checkIds.length === 0) return null
  const total = data?.complianceExceptions.total
  return (
    <Panel
      isFlush
      title="Exceptions"
      aside={
        may('compliance:write') && (
          <Button variant="default" size="compact-sm" onClick={() => setAdding(true)}>
            Add an exception…
          </Button>
        )
      }
    >
      <ExceptionsTable
        rows={data?.complianceExceptions.items}
        error={error}
        onRetry={() => void refetch()}
        empty="No exception: every failure counts."
      />
      {total !== undefined && <Pagination total={total} offset={offset} size={SIZE} onOffset={setOffset} />}
      {isAdding && <ExceptionForm subject={subject} onClose={() => setAdding(false)} />}
    </Panel>
  )
}
