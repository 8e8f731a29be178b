import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Group, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ConditionCountDocument } from '#api/generated/conditions.ts'
import { AssetGroupsDocument, DeleteAssetGroupDocument, type AssetGroupsData } from '#api/generated/groups.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { GroupForm } from './group-form.tsx'
import { usesInWords } from './group-uses.ts'
import styles from './groups-page.module.css'

type AssetGroup = AssetGroupsData['assetGroups'][number]
/** What asks about each group, in words. */
type Uses = ReadonlyMap<string, string>

/** Rows of one page; the members of each are counted. */
const SIZE = 20

export function GroupsPage() {
  const may = usePermission()('assets:write')
  const [offset, setOffset] = useOffset('Groups')
  const [edited, setEdited] = useState<AssetGroup | 'new'>()
  const [deleted, setDeleted] = useState<AssetGroup>()
  const { data, error, refetch } = useQuery(q(AssetGroupsDocument, {}))
  const groups = data?.assetGroups
  const uses = usesByGroup(data)
  return (
    <Page
      title="Groups"
      aside={groups && <Badge>{count(groups.length)}</Badge>}
      description="Conditions with a name. Lists, roles, flows, checks and reports ask about them as group = NAME."
      actions={
        may && (
          <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setEdited('new')}>
            New group
          </Button>
        )
      }
    >
      <Panel isFlush>
        <DataTable
          label="Groups"
          columns={columnsFor({ may, uses, onEdit: setEdited, onDelete: setDeleted })}
          rows={groups?.slice(offset, offset + SIZE)}
          keyOf={({ id }) => id}
          error={error}
          onRetry={() => void refetch()}
          empty={
            <EmptyState icon={Group} title="No groups yet">
              Give a condition a name once, such as “Oslo servers”, and ask about it everywhere.
            </EmptyState>
          }
        />
        {groups && groups.length > SIZE && (
          <Pagination total={groups.length} offset={offset} size={SIZE} onOffset={setOffset} />
        )}
      </Panel>
      {edited && (
        <GroupForm group={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
      {deleted && (
        <DeleteGroup group={deleted} uses={uses.get(deleted.id)} onClose={() => setDeleted(undefined)} />
      )}
    </Page>
  )
}

const usesByGroup = (data: AssetGroupsData | undefined): Uses => {
  const groups = Map.groupBy(data?.assetGroupUses ?? [], ({ groupId }) => groupId)
  return new Map([...groups].map(([id, uses]) => [id, usesInWords(uses)]))
}

interface ColumnsProps {
  readonly may: boolean
  readonly uses: Uses
  readonly onEdit: (group: AssetGroup) => void
  readonly onDelete: (group: AssetGroup) => void
}

const columnsFor = ({ may, uses, onEdit, onDelete }: ColumnsProps): readonly Column<AssetGroup>[] => [
  {
    title: 'Group',
    cell: ({ name, description }) => (
      <TwoLines below={description}>
        <Link to="/assets" search={{ where: compareTerm('group', [name]) }}>
          {name}
        </Link>
      </TwoLines>
    ),
  },
  {
    title: 'Assets where',
    isMinor: true,
    cell: ({ condition }) => <span className={`mono ${styles['condition']}`}>{condition}</span>,
  },
  { title: 'Assets', align: 'right', cell: ({ name }) => <MemberCount name={name} /> },
  { title: 'Used by', isMinor: true, cell: ({ id }) => uses.get(id) ?? '–' },
  {
    title: '',
    align: 'right',
    cell: (group) =>
      may && (
        <RowMenu
          label={`Actions for ${group.name}`}
          actions={[
            { title: 'Edit group', icon: Pencil, onChoose: () => onEdit(group) },
            { title: 'Delete group', icon: Trash2, isDestructive: true, onChoose: () => onDelete(group) },
          ]}
        />
      ),
  },
]

function MemberCount({ name }: { readonly name: string }) {
  const { data, error } = useQuery(
    q(ConditionCountDocument, { subject: 'asset', where: compareTerm('group', [name]) }),
  )
  if (error) return <Badge tone="warn">Cannot be read</Badge>
  return data ? count(data.conditionCount.matching) : '…'
}

interface DeleteGroupProps {
  readonly group: AssetGroup
  /** What asks about it, in words. */
  readonly uses: string | undefined
  readonly onClose: () => void
}

function DeleteGroup({ group, uses, onClose }: DeleteGroupProps) {
  const remove = useChange(DeleteAssetGroupDocument, { done: 'Group deleted' })
  return (
    <ConfirmDialog
      isOpen
      isDestructive
      title={`Delete ${group.name}?`}
      action="Delete group"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ id: group.id }, { onSettled: onClose })}
      onClose={onClose}
    >
      <p>The assets stay as they are.</p>
      {uses && <p>What asks about the group cannot be read any more then: {uses}.</p>}
    </ConfirmDialog>
  )
}
