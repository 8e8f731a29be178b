import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Bookmark, Users, UserX, X } from 'lucide-react'
import {
  DeleteViewDocument,
  SavedViewsDocument,
  SaveViewDocument,
  type SavedViewsData,
} from '#api/generated/assets.ts'
import { send } from '#api/client.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import styles from './saved-views.module.css'
import { ARCHIVED, isFiltered, readAssetSearch, type AssetSearch } from './asset-search-params.ts'

interface SavedViewsProps {
  readonly search: AssetSearch
  /** Undefined: those that everybody has. */
  readonly columns: string | undefined
}

/** Saved filters, sort orders and columns, as tabs. */
export function SavedViews({ search, columns }: SavedViewsProps) {
  const { data } = useQuery(q(SavedViewsDocument, {}))
  const remove = useChange(DeleteViewDocument, {
    done: 'View deleted',
    undo: (_, { id }) => saveAgain(data?.savedViews.find((it) => it.id === id)),
  })
  const [isSaving, dialog] = useDisclosure(false)
  const may = usePermission()
  const views = (data?.savedViews ?? []).map(({ view, ...it }) => ({
    ...it,
    search: readAssetSearch(view as Record<string, unknown>),
  }))
  const current = views.find((view) => isSame(view.search, search))
  const isWorthSaving = isFiltered(search) || search.sort !== undefined || columns !== undefined
  return (
    <div className={styles['views']}>
      <nav className={styles['tabs']} aria-label="Saved views">
        <Tab name="All assets" search={{}} isCurrent={isSame(search, {})} />
        <Tab name="Archived" search={{ where: ARCHIVED }} isCurrent={isSame(search, { where: ARCHIVED })} />
        {views.map((view) => (
          <Tab key={view.id} {...view} isCurrent={view === current} />
        ))}
      </nav>
      {current?.isOwn && may('assets:write') && <ShareView view={current} />}
      {current && (current.isOwn || may('settings:write')) && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Delete the view ${current.name}`}
          loading={remove.isPending}
          onClick={() => remove.mutate({ id: current.id })}
        >
          <X size={14} aria-hidden />
        </ActionIcon>
      )}
      {isWorthSaving && !current && search.where !== ARCHIVED && (
        <Button variant="subtle" leftSection={<Bookmark size={13} aria-hidden />} onClick={dialog.open}>
          Save view
        </Button>
      )}
      <SaveView
        isOpen={isSaving}
        view={{ ...search, ...(columns !== undefined && { columns }) }}
        onClose={dialog.close}
      />
    </div>
  )
}

async function saveAgain(view: SavedViewsData['savedViews'][number] | undefined): Promise<void> {
  if (view) await send(SaveViewDocument, { name: view.name, view: view.view, isShared: view.isShared })
}

interface ShareViewProps {
  readonly view: { readonly name: string; readonly search: AssetSearch; readonly isShared: boolean }
}

function ShareView({ view: { name, search, isShared } }: ShareViewProps) {
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
      onClick={() => share.mutate({ name, view: search, isShared: !isShared })}
    >
      {isShared ? <UserX size={14} aria-hidden /> : <Users size={14} aria-hidden />}
    </ActionIcon>
  )
}

interface TabProps {
  readonly name: string
  readonly search: AssetSearch
  readonly isCurrent: boolean
  readonly isShared?: boolean
  readonly sharedBy?: string | null
}

function Tab({ name, search, isCurrent, isShared = false, sharedBy = null }: TabProps) {
  return (
    <Link
      to="/assets"
      search={search}
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
  readonly isOpen: boolean
  readonly view: AssetSearch
  readonly onClose: () => void
}

function SaveView({ isOpen, view, onClose }: SaveViewProps) {
  const form = useForm({ initialValues: { name: '', isShared: false } })
  const may = usePermission()
  const navigate = useNavigate()
  const save = useChange(SaveViewDocument, { done: 'View saved', isQuiet: true })
  return (
    <FormDialog
      isOpen={isOpen}
      title="Save this view"
      action="Save view"
      form={form}
      onSubmit={async ({ name, isShared }) => {
        await save.mutateAsync({ name: name.trim(), view, ...(isShared && { isShared }) })
        // the columns are those of the view from now on
        await navigate({ to: '/assets', search: view, replace: true })
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
      {may('assets:write') && (
        <Checkbox
          label="Everybody in the organisation has it"
          {...form.getInputProps('isShared', { type: 'checkbox' })}
        />
      )}
    </FormDialog>
  )
}

const isSame = (a: AssetSearch, b: AssetSearch): boolean => {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof AssetSearch>
  return [...keys].every((key) => a[key] === b[key])
}
