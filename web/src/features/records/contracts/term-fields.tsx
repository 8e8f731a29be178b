import { Textarea, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import styles from '../record-panel.module.css'

type TermField = 'begins' | 'ends' | 'cost' | 'currency' | 'notes'

interface TermFieldsProps {
  readonly inputProps: (field: TermField) => GetInputPropsReturnType
}

/** From when until when, and for how much. */
export const TermFields = ({ inputProps }: TermFieldsProps) => (
  <>
    <div className={styles['pair']}>
      <TextInput label="Begins" type="date" {...inputProps('begins')} />
      <TextInput label="Ends" type="date" {...inputProps('ends')} />
    </div>
    <div className={styles['pair']}>
      <TextInput label="Cost" inputMode="decimal" placeholder="1299.00" {...inputProps('cost')} />
      <TextInput label="Currency" placeholder="EUR" maxLength={3} {...inputProps('currency')} />
    </div>
    <Textarea label="Notes" rows={2} {...inputProps('notes')} />
  </>
)
