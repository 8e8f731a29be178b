import { Pencil, RotateCcw, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { ResetCredentialDocument, type CredentialRow } from '#api/generated/credentials.ts'
import { useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { many } from '#lib/numbers.ts'
import { Badge, Chip } from '#ui/badge.tsx'
import { Several, TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { Time } from '#ui/time.tsx'
import { kinds } from './credential-kinds.ts'

interface CredentialTableProps {
  readonly rows: readonly CredentialRow[] | undefined
  /** Of all pages. */
  readonly total?: number | undefined
  readonly error: unknown
  readonly onRetry: () => void
  readonly onEdit: (credential: CredentialRow) => void
  readonly onDelete: (credential: CredentialRow) => void
  readonly empty: ReactNode
}

const columns: readonly Column<CredentialRow>[] = [
  {
    title: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ name, kind, isCollectorOnly }) => (
      <TwoLines below={`${kinds[kind].title}${isCollectorOnly ? ', collectors only' : ''}`}>{name}</TwoLines>
    ),
  },
  { title: 'State', cell: (credential) => <State credential={credential} /> },
  {
    title: 'Shown to',
    isMinor: true,
    cell: ({ cidrs, targetIds }) => (
      <Several>
        {cidrs.map((cidr) => (
          <Chip key={cidr}>{cidr}</Chip>
        ))}
        {targetIds.length > 0 && <Chip>{many(targetIds.length, 'target')}</Chip>}
      </Several>
    ),
  },
  {
    title: 'Last used',
    sortBy: ({ lastUsedAt }) => lastUsedAt,
    isMinor: true,
    cell: ({ lastUsedAt }) => <Time at={lastUsedAt} />,
  },
]

export function CredentialTable({ onEdit, onDelete, ...table }: CredentialTableProps) {
  const may = usePermission()
  const reset = useChange(ResetCredentialDocument, { done: 'It is tried again' })
  const actions: Column<CredentialRow> = {
    title: '',
    align: 'right',
    cell: (credential) =>
      may('credentials:write') && (
        <RowMenu
          label={`Actions for ${credential.name}`}
          actions={[
            { title: 'Change…', icon: Pencil, onChoose: () => onEdit(credential) },
            {
              title: 'Try it again',
              icon: RotateCcw,
              isDisabled: credential.setAsideUntil === null && credential.refusedOn === 0,
              onChoose: () => reset.mutate({ id: credential.id }),
            },
            { title: 'Delete…', icon: Trash2, isDestructive: true, onChoose: () => onDelete(credential) },
          ]}
        />
      ),
  }
  return <DataTable label="Credentials" columns={[...columns, actions]} keyOf={({ id }) => id} {...table} />
}

function State({ credential }: { readonly credential: CredentialRow }) {
  const { isCollectorOnly, collectorIds } = credential
  if (isCollectorOnly && collectorIds.length === 0) {
    return (
      <TwoLines below="The collectors that could are gone. Enter the secret anew.">
        <Badge tone="bad" sign="!">
          Nobody can open it
        </Badge>
      </TwoLines>
    )
  }
  const { setAsideUntil, setAsideBecause, worksOn, refusedOn, lastUsedAt } = credential
  if (setAsideUntil !== null) {
    return (
      <TwoLines below={setAsideBecause}>
        <Badge tone="bad" sign="!">
          Set aside
        </Badge>
      </TwoLines>
    )
  }
  const refused = refusedOn > 0 ? `refused by ${many(refusedOn, 'host')}` : ''
  if (worksOn > 0) {
    return (
      <TwoLines below={refused}>
        <Badge tone="good" sign="✓">
          Works on {many(worksOn, 'host')}
        </Badge>
      </TwoLines>
    )
  }
  if (refusedOn > 0) {
    return (
      <Badge tone="warn" sign="!">
        Refused by {many(refusedOn, 'host')}
      </Badge>
    )
  }
  return (
    <Badge tone="none" sign="…">
      {lastUsedAt === null ? 'Not used yet' : 'No answer yet'}
    </Badge>
  )
}
