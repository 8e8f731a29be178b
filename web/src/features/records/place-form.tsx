import { Select, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import type { PlaceKind } from '#api/generated/enums-and-inputs.ts'
import { CreatePlaceDocument, UpdatePlaceDocument, type PlacesData } from '#api/generated/records.ts'
import { useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

type Place = PlacesData['places'][number]

export const placeKinds: Readonly<Record<PlaceKind, string>> = {
  site: 'Site',
  building: 'Building',
  room: 'Room',
}

interface PlaceFormProps {
  /** Undefined: a new one. */
  readonly place: Place | undefined
  readonly places: readonly Place[]
  readonly onClose: () => void
}

export function PlaceForm({ place, places, onClose }: PlaceFormProps) {
  const form = useForm<PlaceValues>({
    initialValues: {
      name: place?.name ?? '',
      kind: place?.kind ?? 'site',
      parentId: place?.parentId ?? '',
      networks: place?.networks.join('\n') ?? '',
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Give it a name, such as “Oslo”.' : null),
      parentId: (id, { kind }) => (kind !== 'site' && id === '' ? 'Choose where it is.' : null),
    },
  })
  const create = useChange(CreatePlaceDocument, { done: 'Place added', isQuiet: true })
  const update = useChange(UpdatePlaceDocument, { done: 'Place saved', isQuiet: true })
  return (
    <FormDialog
      isOpen
      title={place ? `Edit ${place.path}` : 'New place'}
      action={place ? 'Save place' : 'Add place'}
      form={form}
      onSubmit={(values) => {
        const networks = values.networks.split(/[\s,]+/).filter((text) => text !== '')
        const input = { name: values.name.trim(), parentId: values.parentId || null, networks }
        return place
          ? update.mutateAsync({ id: place.id, ...input })
          : create.mutateAsync({ kind: values.kind, ...input })
      }}
      onClose={onClose}
    >
      <PlaceFields form={form} places={places} isNew={!place} />
    </FormDialog>
  )
}

/** No interface: those have no index signature. */
type PlaceValues = {
  readonly name: string
  readonly kind: PlaceKind
  readonly parentId: string
  readonly networks: string
}

interface PlaceFieldsProps {
  readonly form: UseFormReturnType<PlaceValues>
  readonly places: readonly Place[]
  readonly isNew: boolean
}

function PlaceFields({ form, places, isNew }: PlaceFieldsProps) {
  const { kind } = form.values
  const parents = places.filter((it) => it.kind === 'site' || (it.kind === 'building' && kind === 'room'))
  const kinds = Object.entries(placeKinds).map(([value, label]) => ({ value, label }))
  return (
    <>
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      {isNew && <Select label="Kind" data={kinds} allowDeselect={false} {...form.getInputProps('kind')} />}
      {kind !== 'site' && (
        <Select
          label="In"
          required
          searchable
          data={parents.map(({ id, path }) => ({ value: id, label: path }))}
          {...form.getInputProps('parentId')}
        />
      )}
      <Textarea
        label="Networks"
        description="One a line, such as 10.1.0.0/16. Assets with an address in one are here; the longest wins."
        rows={4}
        {...form.getInputProps('networks')}
      />
    </>
  )
}
