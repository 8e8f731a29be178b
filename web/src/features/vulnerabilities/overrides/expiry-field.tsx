import { Button, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { dayIn } from '#lib/dates.ts'
import styles from './expiry-field.module.css'
import { NO_END } from './override.ts'

interface ExpiryFieldProps {
  /** YYYY-MM-DD in the person's time zone, or NO_END; empty while the date is incomplete. */
  readonly value: string
  readonly onChange: (day: string) => void
  readonly error?: ReactNode
}

const PRESETS = [
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 180, label: '180 days' },
  { days: 365, label: '1 year' },
] as const

/** Expiry of an override: a date, a number of days from now, or none. */
export function ExpiryField({ value, onChange, error }: ExpiryFieldProps) {
  const presets = [
    ...PRESETS.map(({ days, label }) => ({ label, day: dayIn(days) })),
    { label: 'No end', day: NO_END },
  ]
  return (
    <div>
      <TextInput
        type="date"
        label="Last day"
        description="From the day after on, what the feeds say counts again."
        min={dayIn(0)}
        max="9999-12-31"
        value={value === NO_END ? '' : value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        error={error}
      />
      <div className={styles['presets']} role="group" aria-label="Last day, counted from today">
        {presets.map(({ label, day }) => (
          <Button
            key={label}
            size="compact-sm"
            variant={day === value ? 'light' : 'default'}
            aria-pressed={day === value}
            onClick={() => onChange(day)}
          >
            {label}
          </Button>
        ))}
      </div>
    </div>
  )
}
