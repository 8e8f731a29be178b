import { Button, Checkbox, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { Search, X } from 'lucide-react'
import type { FindingStatus, Severity } from '#api/generated/operations.ts'
import styles from './finding-filters.module.css'
import { ORDERS, STATUSES, type FindingOrder, type FindingSearch } from './finding-search-params.ts'
import { SEVERITIES, severityName } from '../severities.ts'
import { statusName } from '../finding-badges.tsx'

const TYPING_MS = 200

interface FindingFiltersProps {
  readonly search: FindingSearch
  readonly onChange: () => void
}

export function FindingFilters({ search, onChange }: FindingFiltersProps) {
  const navigate = useNavigate()
  const choose = (change: FindingSearch) => {
    onChange()
    void navigate({ to: '/vulnerabilities', search: { ...search, ...change }, replace: true })
  }
  const type = useDebouncedCallback((text: string) => choose({ text: text || undefined }), TYPING_MS)
  return (
    <div className={styles['filters']}>
      <TextInput
        type="search"
        aria-label="Search the findings"
        placeholder="Search CVE, software, asset"
        leftSection={<Search size={14} aria-hidden />}
        defaultValue={search.text ?? ''}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
      <Chosen search={search} onChoose={choose} />
      <Checks search={search} onChoose={choose} />
    </div>
  )
}

interface ChosenProps {
  readonly search: FindingSearch
  readonly onChoose: (change: FindingSearch) => void
}

function Chosen({ search, onChoose }: ChosenProps) {
  return (
    <>
      <Select
        aria-label="Severity"
        placeholder="Any severity"
        clearable
        data={SEVERITIES.map((value) => ({ value, label: severityName(value) }))}
        value={search.severity ?? null}
        onChange={(value) => onChoose({ severity: (value as Severity | null) ?? undefined })}
      />
      <Select
        aria-label="Status"
        allowDeselect={false}
        data={[
          ...STATUSES.map((value) => ({ value, label: statusName(value) })),
          { value: 'any', label: 'Any status' },
        ]}
        value={search.outcome ?? 'open'}
        onChange={(value) =>
          onChoose({ outcome: value === 'open' ? undefined : (value as FindingStatus | 'any') })
        }
      />
      <Select
        aria-label="Order"
        allowDeselect={false}
        data={[...ORDERS]}
        value={search.order ?? 'score'}
        onChange={(value) => onChoose({ order: value === 'score' ? undefined : (value as FindingOrder) })}
      />
    </>
  )
}

function Checks({ search, onChoose }: ChosenProps) {
  return (
    <>
      <Checkbox
        label="Known to be exploited"
        checked={search.exploited ?? false}
        onChange={({ currentTarget }) => onChoose({ exploited: currentTarget.checked || undefined })}
      />
      <Checkbox
        label="With a fix"
        checked={search.fixable ?? false}
        onChange={({ currentTarget }) => onChoose({ fixable: currentTarget.checked || undefined })}
      />
      {search.asset !== undefined && (
        <Button
          variant="light"
          size="compact-sm"
          rightSection={<X size={13} aria-hidden />}
          onClick={() => onChoose({ asset: undefined })}
        >
          Of one asset
        </Button>
      )}
    </>
  )
}
