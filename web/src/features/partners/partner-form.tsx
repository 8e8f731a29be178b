import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { CreatePartnerDocument, UpdatePartnerDocument, type PartnerRow } from '#api/generated/partners.ts'
import { useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { NumberField } from '#ui/number-field.tsx'

interface PartnerFormProps {
  /** The partner to change; undefined for a new one. */
  readonly partner: PartnerRow | undefined
  readonly onClose: () => void
}

const QUOTA_DEFAULT = 10_000
const RATE_DEFAULT = 100

export function PartnerForm({ partner, onClose }: PartnerFormProps) {
  const form = useForm({
    initialValues: {
      name: partner?.name ?? '',
      slug: partner?.slug ?? '',
      email: partner?.email ?? '',
      quota_limit: (partner?.quotaLimit ?? QUOTA_DEFAULT) as number | string,
      rate_limit: (partner?.rateLimit ?? RATE_DEFAULT) as number | string,
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Name the company.' : null),
      slug: (slug) => (slug.trim() === '' ? 'Choose a short name.' : null),
      email: (email) => (email.includes('@') ? null : 'Give an address that somebody reads.'),
      quota_limit: (limit) => (limit === '' ? 'Give a number.' : null),
      rate_limit: (limit) => (limit === '' ? 'Give a number.' : null),
    },
  })
  const create = useChange(CreatePartnerDocument, { isQuiet: true, done: 'Partner created' })
  const update = useChange(UpdatePartnerDocument, { isQuiet: true, done: 'Partner changed' })
  return (
    <FormDialog
      isOpen
      title={partner ? `Change ${partner.name}` : 'New partner'}
      action={partner ? 'Save changes' : 'Create partner'}
      form={form}
      onSubmit={({ name, slug, email, quota_limit: quota, rate_limit: rate }) => {
        const fields = {
          name: name.trim(),
          email: email.trim(),
          quotaLimit: Number(quota),
          rateLimit: Number(rate),
        }
        return partner
          ? update.mutateAsync({ id: partner.id, ...fields, apiEnabled: null })
          : create.mutateAsync({ slug: slug.trim(), ...fields })
      }}
      onClose={onClose}
    >
      <PartnerFields isNew={partner === undefined} input={(name) => form.getInputProps(name)} />
    </FormDialog>
  )
}

interface PartnerFieldsProps {
  readonly isNew: boolean
  readonly input: (name: string) => object
}

function PartnerFields({ isNew, input }: PartnerFieldsProps) {
  return (
    <>
      <TextInput label="Name" required data-autofocus {...input('name')} />
      <TextInput
        label="Slug"
        description={
          isNew ? 'Letters, digits, dots, hyphens. Cannot be changed later.' : 'Cannot be changed.'
        }
        required
        disabled={!isNew}
        spellCheck={false}
        {...input('slug')}
      />
      <TextInput label="Contact" description="An e-mail address." type="email" required {...input('email')} />
      <NumberField
        label="Asset quota"
        description="Nothing is refused beyond it; it is shown as exceeded."
        min={1}
        required
        {...input('quota_limit')}
      />
      <NumberField
        label="Requests per minute"
        description="For all keys of the partner together."
        min={1}
        required
        {...input('rate_limit')}
      />
    </>
  )
}
