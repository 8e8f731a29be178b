import { FileButton, Button, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ImportKnownHostsDocument } from '#api/generated/credentials.ts'
import { useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

interface KnownHostsFormProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Adds trusted host keys before the first scan, as lines of OpenSSH's known_hosts. */
export function KnownHostsForm({ isOpen, onClose }: KnownHostsFormProps) {
  const form = useForm({ initialValues: { knownHosts: '' } })
  const add = useChange(ImportKnownHostsDocument, {
    done: ({ importKnownHosts: { read, added, rejected } }) =>
      `${read} lines read, ${added} new${rejected.length > 0 ? `, ${rejected.length} not understood` : ''}`,
    isQuiet: true,
  })
  return (
    <FormDialog
      isOpen={isOpen}
      title="Add known hosts"
      action="Add"
      form={form}
      onSubmit={(values) => add.mutateAsync(values)}
      onClose={onClose}
    >
      <FileButton
        onChange={(file) => void file?.text().then((text) => form.setFieldValue('knownHosts', text))}
      >
        {(props) => (
          <Button variant="default" {...props}>
            Choose a known_hosts file
          </Button>
        )}
      </FileButton>
      <Textarea
        label="Lines of known_hosts"
        description="As in ~/.ssh/known_hosts or from ssh-keyscan; hashed names too."
        autosize
        minRows={6}
        maxRows={14}
        required
        spellCheck={false}
        {...form.getInputProps('knownHosts')}
      />
    </FormDialog>
  )
}
