import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bookmark, X } from 'lucide-react'
import { DeleteViewDocument, SavedViewsDocument, SaveViewDocument } from '#api/generated/assets.ts'
import { q, useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import styles from './saved-views.module.css'
import { ARCHIVED, isFiltered, readAssetSearch, type AssetSearch } from './asset-search-params.ts'

/** Saved filters and sort orders, as tabs. */
export function SavedViews({ search }: { readonly search: AssetSearch }) {
  const { data } = useQuery(q(SavedViewsDocument, {}))
  const remove = useChange(DeleteViewDocument, { done: 'View deleted' })
  const [isSaving, dialog] = useDisclosure(false)
  const views = (data?.savedViews ?? []).map(({ id, name, view }) => ({
    id,
    name,
    search: readAssetSearch(view as Record<string, unknown>),
  }))
  const current = views.find((view) => isSame(view.search, search))
  return (
    <div className={styles['views']}>
      <nav className={styles['tabs']} aria-label="Saved views">
        <Tab name="All assets" search={{}} isCurrent={isSame(search, {})} />
        <Tab name="Archived" search={{ where: ARCHIVED }} isCurrent={isSame(search, { where: ARCHIVED })} />
        {views.map((view) => (
          <Tab key={view.id} name={view.name} search={view.search} isCurrent={view === current} />
        ))}
      </nav>
      {current && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Delete the view ${current.name}`}
          onClick={() => remove.mutate({ id: current.id })}
        >
          <X size={14} aria-hidden />
        </ActionIcon>
      )}
      {isFiltered(search) && !current && search.where !== ARCHIVED && (
        <Button variant="subtle" leftSection={<Bookmark size={13} aria-hidden />} onClick={dialog.open}>
          Save view
        </Button>
      )}
      <SaveView isOpen={isSaving} search={search} onClose={dialog.close} />
    </div>
  )
}

interface TabProps {
  readonly name: string
  readonly search: AssetSearch
  readonly isCurrent: boolean
}

function Tab({ name, search, isCurrent }: TabProps) {
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
    </Link>
  )
}

interface SaveViewProps {
  readonly isOpen: boolean
  readonly search: AssetSearch
  readonly onClose: () => void
}

function SaveView({ isOpen, search, onClose }: SaveViewProps) {
  const form = useForm({ initialValues: { name: '' } })
  const save = useChange(SaveViewDocument, { done: 'View saved', isQuiet: true })
  return (
    <FormDialog
      isOpen={isOpen}
      title="Save this view"
      action="Save view"
      form={form}
      onSubmit={({ name }) => save.mutateAsync({ name: name.trim(), view: search })}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="The filters and the order are kept. A view of the same name is replaced."
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormDialog>
  )
}

const isSame = (a: AssetSearch, b: AssetSearch): boolean => {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof AssetSearch>
  return [...keys].every((key) => a[key] === b[key])
}
