import { Ban, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ApiKeyRow } from '#api/generated/api-keys.ts'
import { usePermission } from '#api/use-permission.ts'
import { Chip } from '#ui/badge.tsx'
import { Several, TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { Day, Time } from '#ui/time.tsx'
import { scopeName } from './key-scopes.ts'
import { isUsable, KeyState } from './key-state.tsx'

interface KeyTableProps {
  readonly rows: readonly ApiKeyRow[] | undefined
  readonly error: unknown
  readonly onRetry: () => void
  readonly onRotate: (apiKey: ApiKeyRow) => void
  readonly onRevoke: (apiKey: ApiKeyRow) => void
  readonly empty: ReactNode
}

const columns: readonly Column<ApiKeyRow>[] = [
  {
    title: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ name, prefix }) => <TwoLines below={<code>{prefix}…</code>}>{name}</TwoLines>,
  },
  { title: 'State', cell: (apiKey) => <KeyState apiKey={apiKey} /> },
  {
    title: 'Scopes',
    isMinor: true,
    cell: ({ scopes, where }) => (
      <Several>
        {scopes.map((scope) => (
          <Chip key={scope}>{scopeName(scope)}</Chip>
        ))}
        {where !== null && <code>{where}</code>}
      </Several>
    ),
  },
  {
    title: 'Last used',
    sortBy: ({ lastUsedAt }) => lastUsedAt,
    isMinor: true,
    cell: ({ lastUsedAt }) => <Time at={lastUsedAt} />,
  },
  {
    title: 'Expires',
    sortBy: ({ expiresAt }) => expiresAt,
    isMinor: true,
    cell: ({ expiresAt }) => <Day at={expiresAt} />,
  },
  {
    title: 'Created',
    sortBy: ({ createdAt }) => createdAt,
    isMinor: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
]

export function KeyTable({ onRotate, onRevoke, ...table }: KeyTableProps) {
  const may = usePermission()
  const actions: Column<ApiKeyRow> = {
    title: '',
    align: 'right',
    cell: (apiKey) =>
      apiKey.revokedAt === null &&
      may('api_keys:write') && (
        <RowMenu
          label={`Actions for ${apiKey.name}`}
          actions={[
            { title: 'Rotate…', icon: RotateCw, onChoose: () => onRotate(apiKey) },
            {
              title: 'Revoke…',
              icon: Ban,
              isDestructive: true,
              isDisabled: !isUsable(apiKey),
              onChoose: () => onRevoke(apiKey),
            },
          ]}
        />
      ),
  }
  return <DataTable label="API keys" columns={[...columns, actions]} keyOf={({ id }) => id} {...table} />
}
