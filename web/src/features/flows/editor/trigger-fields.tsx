import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import styles from './flow-editor.module.css'

type Fields = Readonly<Record<string, string>>

/** Types of the condition language, in words. */
const TYPES = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'bool', label: 'Yes or no' },
  { value: 'date', label: 'Date' },
  { value: 'instant', label: 'Date and time' },
  { value: 'ip', label: 'IP address' },
  { value: 'version', label: 'Version' },
] as const

interface TriggerFieldsProps {
  readonly label: string
  readonly description: string
  readonly fields: Fields
  readonly faultAt: (place: string) => string | undefined
  readonly onChange: (fields: Fields) => void
}

interface Row {
  readonly key: number
  readonly name: string
  readonly type: string
}

/** Names and types of the values that come with a run. */
export function TriggerFields({ label, description, fields, faultAt, onChange }: TriggerFieldsProps) {
  const [rows, setRows] = useState<readonly Row[]>(() =>
    Object.entries(fields).map(([name, type], key) => ({ key, name, type })),
  )
  const set = (next: readonly Row[]) => {
    setRows(next)
    onChange(Object.fromEntries(next.flatMap(({ name, type }) => (name === '' ? [] : [[name, type]]))))
  }
  const replace = (key: number, to: Partial<Row>) =>
    set(rows.map((row) => (row.key === key ? { ...row, ...to } : row)))
  const add = () =>
    set([...rows, { key: Math.max(0, ...rows.map((row) => row.key + 1)), name: '', type: 'text' }])
  return (
    <div role="group" aria-label={label} className={styles['list']}>
      <div>
        <div className={styles['otherwise']}>{label}</div>
        <div className={styles['description']}>{description}</div>
      </div>
      {rows.map((row, at) => (
        <div key={row.key} className={styles['field']}>
          <TextInput
            aria-label={`Name of value ${at + 1}`}
            placeholder="ticket_number"
            spellCheck={false}
            value={row.name}
            error={faultOf(row, rows, faultAt)}
            onChange={({ currentTarget: { value } }) => replace(row.key, { name: value })}
          />
          <NativeSelect
            aria-label={`Type of value ${at + 1}`}
            data={TYPES}
            value={row.type}
            onChange={({ currentTarget: { value } }) => replace(row.key, { type: value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Delete value ${at + 1}`}
            onClick={() => set(rows.filter(({ key }) => key !== row.key))}
          >
            <Trash2 size={15} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button variant="default" size="xs" leftSection={<Plus size={14} aria-hidden />} onClick={add}>
        Add value
      </Button>
    </div>
  )
}

function faultOf(
  { name, key }: Row,
  rows: readonly Row[],
  faultAt: TriggerFieldsProps['faultAt'],
): string | undefined {
  if (name === '') return undefined
  const isTaken = rows.some((row) => row.name === name && row.key < key)
  return isTaken ? 'There is a value of that name already.' : faultAt(`trigger.fields.${name}`)
}
