import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bookmark, Users, UserX, X } from 'lucide-react'
import { send } from '#api/client.ts'
import {
  DeleteViewDocument,
  SavedViewsDocument,
  SaveViewDocument,
  type SavedViewsData,
} from '#api/generated/conditions.ts'
import type { ConditionSubject } from '#api/generated/enums-and-inputs.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import styles from './saved-views.module.css'
import { isNarrowed, isSameSearch, type ListSearch } from './list-search.ts'
import { useListSearch } from './use-list-search.ts'

/** A view that everybody has. */
export interface FixedView {
  readonly name: string
  readonly search: ListSearch
}

interface SavedViewsProps {
  readonly subject: ConditionSubject
  /** The first has everything. */
  readonly fixed: readonly FixedView[]
  readonly read: (raw: Record<string, unknown>) => ListSearch
  readonly search: ListSearch
  /** Undefined: those that everybody has. */
  readonly columns: string | undefined
}

/** What may be written by whoever may share views of the list. */
const sharedBy: Readonly<Record<ConditionSubject, string>> = {
  agent: 'agents:write',
  asset: 'assets:write',
  check: 'compliance:write',
  cloud_resource: 'cloud:write',
  control: 'compliance:write',
  discovery_run: 'scans:write',
  finding: 'vulnerabilities:write',
  flow_run: 'flows:write',
  partner: 'partners:write',
  report: 'reports:write',
  scan: 'scans:write',
  software: 'assets:write',
}

/** Saved filters, sort orders and columns, as tabs. */
export function SavedViews({ subject, fixed, read, search, columns }: SavedViewsProps) {
  const { data } = useQuery(q(SavedViewsDocument, { subject }))
  const [isSaving, dialog] = useDisclosure(false)
  const may = usePermission()
  const views = (data?.savedViews ?? []).map(({ view, ...it }) => ({
    ...it,
    search: read(view as Record<string, unknown>),
  }))
  const current = views.find((view) => isSameSearch(view.search, search))
  const isFixed = fixed.some((it) => isSameSearch(it.search, search))
  const isWorthSaving =
    !isFixed && (isNarrowed(search) || search.sort !== undefined || search.group !== undefined)
  return (
    <div className={styles['views']}>
      <nav className={styles['tabs']} aria-label="Saved views">
        {fixed.map((view) => (
          <Tab key={view.name} {...view} isCurrent={isSameSearch(view.search, search)} />
        ))}
        {views.map((view) => (
          <Tab key={view.id} {...view} isCurrent={view === current} />
        ))}
      </nav>
      {current?.isOwn && may(sharedBy[subject]) && <ShareView subject={subject} view={current} />}
      {current && mayDelete(current, subject, may) && (
        <DeleteView view={data?.savedViews.find(({ id }) => id === current.id)} />
      )}
      {(isWorthSaving || columns !== undefined) && !current && (
        <Button variant="subtle" leftSection={<Bookmark size={13} aria-hidden />} onClick={dialog.open}>
          Save view
        </Button>
      )}
      <SaveView
        subject={subject}
        isOpen={isSaving}
        view={{ ...search, ...(columns !== undefined && { columns }) }}
        onClose={dialog.close}
      />
    </div>
  )
}

type View = SavedViewsData['savedViews'][number]

const mayDelete = (
  { isOwn, isShared }: Pick<View, 'isOwn' | 'isShared'>,
  subject: ConditionSubject,
  may: (permission: string) => boolean,
): boolean => may('settings:write') || (isOwn && (!isShared || may(sharedBy[subject])))

function DeleteView({ view }: { readonly view: View | undefined }) {
  const remove = useChange(DeleteViewDocument, { done: 'View deleted', undo: () => saveAgain(view) })
  if (!view) return null
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={`Delete the view ${view.name}`}
      onClick={() => remove.mutate({ id: view.id })}
    >
      <X size={14} aria-hidden />
    </ActionIcon>
  )
}

async function saveAgain(view: View | undefined): Promise<void> {
  if (!view) return
  const { subject, name, view: shown, isShared } = view
  await send(SaveViewDocument, { subject, name, view: shown, isShared })
}

interface ShareViewProps {
  readonly subject: ConditionSubject
  readonly view: { readonly name: string; readonly search: ListSearch; readonly isShared: boolean }
}

function ShareView({ subject, view: { name, search, isShared } }: ShareViewProps) {
  const share = useChange(SaveViewDocument, {
    done: isShared ? 'Only you have this view' : 'Everybody has this view',
  })
  const label = isShared ? `Stop sharing the view ${name}` : `Share the view ${name}`
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      title={label}
      loading={share.isPending}
      onClick={() => share.mutate({ subject, name, view: search, isShared: !isShared })}
    >
      {isShared ? <UserX size={14} aria-hidden /> : <Users size={14} aria-hidden />}
    </ActionIcon>
  )
}

interface TabProps {
  readonly name: string
  readonly search: ListSearch
  readonly isCurrent: boolean
  readonly isShared?: boolean
  readonly sharedBy?: string | null
}

function Tab({ name, search, isCurrent, isShared = false, sharedBy = null }: TabProps) {
  return (
    <Link
      to="."
      search={search as never}
      className={styles['tab']}
      activeProps={{}}
      data-current={isCurrent || undefined}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {name}
      {isShared && (
        <Users
          className={styles['shared']}
          size={12}
          aria-label={sharedBy === null ? 'shared' : `shared by ${sharedBy}`}
        />
      )}
    </Link>
  )
}

interface SaveViewProps {
  readonly subject: ConditionSubject
  readonly isOpen: boolean
  readonly view: ListSearch
  readonly onClose: () => void
}

function SaveView({ subject, isOpen, view, onClose }: SaveViewProps) {
  const form = useForm({ initialValues: { name: '', isShared: false } })
  const may = usePermission()
  const change = useListSearch()
  const save = useChange(SaveViewDocument, { done: 'View saved', isQuiet: true })
  return (
    <FormDialog
      isOpen={isOpen}
      title="Save this view"
      action="Save view"
      form={form}
      onSubmit={async ({ name, isShared }) => {
        await save.mutateAsync({ subject, name: name.trim(), view, ...(isShared && { isShared }) })
        // the columns are those of the view from now on
        change(view, { isReplacing: true, isAlone: true })
      }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="The filters, the order and the columns with their widths are kept. A view of the same name is replaced."
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      {may(sharedBy[subject]) && (
        <Checkbox
          label="Everybody in the organisation has it"
          {...form.getInputProps('isShared', { type: 'checkbox' })}
        />
      )}
    </FormDialog>
  )
}
