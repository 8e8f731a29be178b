import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { SaveContractDocument, type ContractsData } from '#api/generated/records.ts'
import { useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import styles from '../record-panel.module.css'
import { TermFields } from './term-fields.tsx'
import { givenTexts } from './term-words.tsx'

export type Contract = ContractsData['contracts'][number]

interface ContractFormProps {
  /** Undefined: a new one. */
  readonly contract: Contract | undefined
  readonly onClose: () => void
}

export function ContractForm({ contract, onClose }: ContractFormProps) {
  const form = useForm({
    initialValues: {
      name: contract?.name ?? '',
      supplier: contract?.supplier ?? '',
      number: contract?.number ?? '',
      begins: contract?.begins ?? '',
      ends: contract?.ends ?? '',
      cost: contract?.cost ?? '',
      currency: contract?.currency ?? '',
      notes: contract?.notes ?? '',
    },
    validate: { name: (name) => (name.trim() === '' ? 'Give it a name, such as “Support 2026”.' : null) },
  })
  const save = useChange(SaveContractDocument, {
    done: contract ? 'Contract saved' : 'Contract added',
    isQuiet: true,
  })
  return (
    <FormDialog
      isOpen
      title={contract ? `Edit ${contract.name}` : 'New contract'}
      action={contract ? 'Save contract' : 'Add contract'}
      form={form}
      onSubmit={({ name, ...texts }) =>
        save.mutateAsync({ id: contract?.id ?? null, name: name.trim(), ...givenTexts(texts) })
      }
      onClose={onClose}
    >
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      <div className={styles['pair']}>
        <TextInput label="Supplier" {...form.getInputProps('supplier')} />
        <TextInput label="Number" {...form.getInputProps('number')} />
      </div>
      <TermFields inputProps={(field) => form.getInputProps(field)} />
    </FormDialog>
  )
}
