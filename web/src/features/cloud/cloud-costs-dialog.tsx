import { Alert, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import {
  CloudProvidersDocument,
  SwitchCloudCostsDocument,
  type CloudConnectionRow,
} from '#api/generated/cloud.ts'
import { q, useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

interface CloudCostsDialogProps {
  readonly connection: CloudConnectionRow
  readonly onClose: () => void
}

/** Switches the reading of costs; says before what it costs and what it needs. */
export function CloudCostsDialog({ connection, onClose }: CloudCostsDialogProps) {
  const { data } = useQuery(q(CloudProvidersDocument, {}))
  const change = useChange(SwitchCloudCostsDocument, { done: 'Connection changed', isQuiet: true })
  const form = useForm({ initialValues: { isOn: connection.readsCosts, table: '' } })
  const description = data?.cloudProviders.find(({ provider }) => provider === connection.provider)
  const needsTable = description?.needsCostTable === true
  return (
    <FormDialog
      isOpen
      title={`Costs of ${connection.name}`}
      action="Save"
      form={form}
      onSubmit={async ({ isOn, table }) => {
        await change.mutateAsync({ id: connection.id, isOn, table: table === '' ? null : table })
        onClose()
      }}
      onClose={onClose}
    >
      {description && (
        <Alert color="yellow" variant="light">
          {description.costNote}
        </Alert>
      )}
      <Switch
        label="Read costs once a day"
        description="What was read stays when it is switched off."
        {...form.getInputProps('isOn', { type: 'checkbox' })}
      />
      {needsTable && (
        <TextInput
          label="Table of the billing export"
          description="PROJECT.DATASET.gcp_billing_export_resource_v1_ACCOUNT; empty: as it is"
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('table')}
        />
      )}
    </FormDialog>
  )
}
