import { Button } from '@mantine/core'
import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ban, CircleCheck, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  RemoveSoftwareListEntryDocument,
  SoftwareListEntriesDocument,
  type SoftwareListEntryRow,
} from '#api/generated/software-lists.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { count } from '#lib/numbers.ts'
import { inSentence } from '#lib/sentence-case.ts'
import { AfterLoading } from '#ui/after-loading.tsx'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { ListEntryForm, type EditedEntry } from './list-entry-form.tsx'

type List = SoftwareListEntryRow['list']

const SIZE = 20

/** Software that the organisation forbids, and software that it allows. */
export function SoftwareListsPage() {
  const may = usePermission()('compliance:write')
  const [edited, setEdited] = useState<EditedEntry>()
  const [removed, setRemoved] = useState<SoftwareListEntryRow>()
  const [offset] = useOffset('Software lists')
  usePrefetchQuery(q(SoftwareListEntriesDocument, { list: 'allowed', first: SIZE, offset }))
  return (
    <Page
      title="Forbidden and allowed software"
      description="Entries name software, its vendor, or both; * stands for any text. Conditions ask about them as software(forbidden = yes), and checks of compliance follow."
    >
      <EntriesPanel list="forbidden" may={may} onEdit={setEdited} onRemove={setRemoved} />
      <AfterLoading>
        <EntriesPanel list="allowed" may={may} onEdit={setEdited} onRemove={setRemoved} />
      </AfterLoading>
      {edited && <ListEntryForm entry={edited} onClose={() => setEdited(undefined)} />}
      {removed && <RemoveEntry entry={removed} onClose={() => setRemoved(undefined)} />}
    </Page>
  )
}

interface Actions {
  readonly may: boolean
  readonly onEdit: (entry: EditedEntry) => void
  readonly onRemove: (entry: SoftwareListEntryRow) => void
}

const ABOUT = {
  forbidden: {
    title: 'Forbidden',
    icon: Ban,
    where: 'any software(forbidden = yes)',
    link: 'Assets that have some',
    empty: 'Nothing is forbidden yet',
    hint: 'While the list is empty, nothing is told about forbidden software.',
  },
  allowed: {
    title: 'Allowed',
    icon: CircleCheck,
    where: 'any software(allowed = no)',
    link: 'Assets that have other software',
    empty: 'No list of allowed software yet',
    hint: 'Where only some software may be installed, list it here.',
  },
} as const

function EntriesPanel({ list, ...actions }: Actions & { readonly list: List }) {
  const [offset, setOffset] = useOffset('Software lists')
  const { data, error, refetch } = useQuery(q(SoftwareListEntriesDocument, { list, first: SIZE, offset }))
  const { title, icon, where, link, empty, hint } = ABOUT[list]
  const total = data?.softwareListEntries.total ?? 0
  return (
    <Panel
      title={title}
      isFlush
      aside={
        actions.may && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Plus size={14} aria-hidden />}
            aria-label={`Add to ${inSentence(title)}`}
            onClick={() => actions.onEdit({ list })}
          >
            Add
          </Button>
        )
      }
    >
      <DataTable
        label={`${title} software`}
        columns={columnsFor(actions)}
        rows={data?.softwareListEntries.items}
        keyOf={({ name, vendor }) => `${name}\n${vendor}`}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState icon={icon} title={empty}>
            {hint}
          </EmptyState>
        }
      />
      {total > SIZE && <Pagination total={total} offset={offset} size={SIZE} onOffset={setOffset} />}
      {total > 0 && (
        <p className="quiet" style={{ padding: '0.75rem 1rem' }}>
          <Link to="/assets" search={{ where }}>
            {link}
          </Link>
        </p>
      )}
    </Panel>
  )
}

const titleOf = ({ name, vendor }: SoftwareListEntryRow): string => name || `Anything of ${vendor}`

const columnsFor = ({ may, onEdit, onRemove }: Actions): readonly Column<SoftwareListEntryRow>[] => [
  {
    title: 'Software',
    cell: (entry) => (
      <TwoLines below={entry.name && entry.vendor && `of ${entry.vendor}`}>{titleOf(entry)}</TwoLines>
    ),
  },
  { title: 'Why', isMinor: true, cell: ({ reason }) => reason || '–' },
  { title: 'Installed', align: 'right', cell: ({ software }) => count(software) },
  {
    title: '',
    align: 'right',
    cell: (entry) =>
      may && (
        <RowMenu
          label={`Actions for ${titleOf(entry)}`}
          actions={[
            { title: 'Change the reason', icon: Pencil, onChoose: () => onEdit(entry) },
            { title: 'Remove', icon: Trash2, isDestructive: true, onChoose: () => onRemove(entry) },
          ]}
        />
      ),
  },
]

interface RemoveEntryProps {
  readonly entry: SoftwareListEntryRow
  readonly onClose: () => void
}

function RemoveEntry({ entry, onClose }: RemoveEntryProps) {
  const { list, name, vendor } = entry
  const remove = useChange(RemoveSoftwareListEntryDocument, { done: 'Entry removed' })
  return (
    <ConfirmDialog
      isOpen
      isDestructive
      title={`Remove ${titleOf(entry)}?`}
      action="Remove"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ list, name, vendor }, { onSettled: onClose })}
      onClose={onClose}
    >
      <p>It is no longer {list}. Checks of compliance are judged again.</p>
    </ConfirmDialog>
  )
}
