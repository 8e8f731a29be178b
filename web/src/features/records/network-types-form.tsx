import { MultiSelect } from '@mantine/core'
import { useForm } from '@mantine/form'
import { SetNetworkTypesDocument, type PlacesData } from '#api/generated/records.ts'
import { useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { meantTypes, networkTypeOptions } from './network-types.ts'

interface NetworkTypesFormProps {
  readonly place: PlacesData['places'][number]
  readonly onClose: () => void
}

/** For which types of assets each network of a place is meant. */
export function NetworkTypesForm({ place, onClose }: NetworkTypesFormProps) {
  const form = useForm({ initialValues: { meant: meantTypes(place) } })
  const save = useChange(SetNetworkTypesDocument, {
    done: 'Saved; assets are judged by it now',
    isQuiet: true,
  })
  return (
    <FormDialog
      isOpen
      title={`What the networks of ${place.path} are for`}
      action="Save"
      form={form}
      onSubmit={({ meant }) => save.mutateAsync({ id: place.id, networkTypes: meant })}
      onClose={onClose}
    >
      <p className="quiet">
        Assets of other types with an address there fail the check “Every asset is in a network that is meant
        for its type”. Where nothing is chosen, that stays unknown.
      </p>
      {form.values.meant.map(({ network }, at) => (
        <MultiSelect
          key={network}
          label={network}
          data={networkTypeOptions}
          placeholder={form.values.meant[at]?.types.length === 0 ? 'Nobody says what it is for' : ''}
          searchable
          clearable
          hidePickedOptions
          {...form.getInputProps(`meant.${at}.types`)}
        />
      ))}
    </FormDialog>
  )
}
