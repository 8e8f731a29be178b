import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { inTenant } from '#api/tenant-url.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { createTenant } from './own-tenants.ts'
import { slugOf } from './tenant-slug.ts'

/** Makes an organisation with the person as its administrator, and goes there. */
export function NewOrganisationForm({ onClose }: { readonly onClose: () => void }) {
  const form = useForm({
    initialValues: { name: '', slug: '' },
    validate: {
      name: (name) => (name.trim() === '' ? 'Give it a name.' : null),
      slug: (slug, { name }) =>
        slug === '' && slugOf(name) === '' ? 'Give it a short name of letters and digits.' : null,
    },
  })
  const { name, slug } = form.values
  return (
    <FormDialog
      isOpen
      title="New organisation"
      action="Make the organisation"
      form={form}
      onSubmit={async () => {
        const made = await createTenant({ name: name.trim(), slug: slug === '' ? slugOf(name) : slug })
        location.assign(inTenant('/', made))
      }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="It sees nothing of your other organisations, and they see nothing of it. You administer it."
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Short name"
        description="In links and commands; it never changes. Lowercase letters, digits and hyphens."
        placeholder={slugOf(name)}
        {...form.getInputProps('slug')}
      />
    </FormDialog>
  )
}
