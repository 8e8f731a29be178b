import { Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { SaveFlowDraftDocument } from '#api/generated/flows.ts'
import { useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

interface FlowDefinitionFormProps {
  readonly flowId: string
  readonly definition: unknown
  readonly onClose: () => void
}

/** The definition as JSON; the server names the place of what it refuses. */
export function FlowDefinitionForm({ flowId, definition, onClose }: FlowDefinitionFormProps) {
  const form = useForm({
    initialValues: { definition: JSON.stringify(definition, undefined, 2) },
    validate: { definition: (text) => (isJson(text) ? null : 'This is no JSON.') },
  })
  const save = useChange(SaveFlowDraftDocument, { isQuiet: true, done: 'Draft saved' })
  return (
    <FormDialog
      isOpen
      title="Change the steps"
      action="Save draft"
      form={form}
      onSubmit={({ definition: text }) =>
        save.mutateAsync({ id: flowId, definition: JSON.parse(text) as unknown })
      }
      onClose={onClose}
    >
      <Textarea
        label="Definition"
        description="JSON: trigger, condition, steps. docs/flows.md has all of it."
        autosize
        minRows={12}
        maxRows={24}
        spellCheck={false}
        styles={{ input: { fontFamily: 'monospace' } }}
        {...form.getInputProps('definition')}
      />
    </FormDialog>
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
