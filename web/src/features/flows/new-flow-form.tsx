import { Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CreateFlowDocument, ReadyFlowsDocument } from '#api/generated/operations.ts'
import { q, useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

/** A new flow begins as a copy of a ready one; it is a draft until somebody publishes it. */
export function NewFlowForm({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const ready = useQuery(q(ReadyFlowsDocument, {})).data?.readyFlows ?? []
  const form = useForm({
    initialValues: { name: '', ready: '' },
    validate: {
      name: (name) => (name.trim() === '' ? 'Name the flow.' : null),
      ready: (id) => (id === '' ? 'Choose what it begins with.' : null),
    },
  })
  const create = useChange(CreateFlowDocument, {
    isQuiet: true,
    done: 'Flow created as a draft',
    onDone: ({ createFlow }) => void navigate({ to: '/flows/$flowId', params: { flowId: createFlow.id } }),
  })
  const chosen = ready.find(({ id }) => id === form.values.ready)
  return (
    <FormDialog
      isOpen
      title="New flow"
      action="Create draft"
      form={form}
      onSubmit={({ name }) =>
        create.mutateAsync({
          name: name.trim(),
          description: chosen?.description ?? null,
          definition: chosen?.definition,
        })
      }
      onClose={onClose}
    >
      <Select
        label="Begin with"
        description={chosen?.description ?? 'A ready flow that you can change before it runs.'}
        required
        data={ready.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps('ready')}
        onChange={(id) => {
          form.setFieldValue('ready', id ?? '')
          const name = ready.find((it) => it.id === id)?.name
          if (name !== undefined && form.values.name === '') form.setFieldValue('name', name)
        }}
      />
      <TextInput label="Name" required {...form.getInputProps('name')} />
    </FormDialog>
  )
}
