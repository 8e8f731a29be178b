import { Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChangersDocument } from '#api/generated/changes.ts'
import { q } from '#api/query-client.ts'
import { ConditionBox } from '#features/conditions/condition-box.tsx'
import { dayIn } from '#lib/dates.ts'
import { isDay, PEOPLE, PERIODS, stretchOf, type ChangeSearch } from './change-search-params.ts'
import { whoName } from './change-words.ts'
import styles from './change-filters.module.css'

const FROM_A_DAY = 'day'
const EVERY_NAME = 'name:'

interface ChangeFiltersProps {
  readonly search: ChangeSearch
}

export function ChangeFilters({ search }: ChangeFiltersProps) {
  const navigate = useNavigate()
  const choose = (change: ChangeSearch, replace = false) => {
    const entries = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined)
    void navigate({ to: '/changes', search: Object.fromEntries(entries), replace })
  }
  return (
    <div className={styles['filters']}>
      <Period search={search} onChoose={choose} />
      <Who search={search} onChoose={choose} />
      <div className={styles['condition']}>
        <ConditionBox
          subject="asset"
          label="Of assets where"
          placeholder="Of all assets, or such as: type = server"
          hint="Of all assets"
          where={search.where ?? ''}
          text=""
          onChange={({ where, text }, isTyping) => {
            const terms = [where, ...(text && !isTyping ? [EVERY_NAME + JSON.stringify(text)] : [])]
            const next = terms.filter((it) => it !== '').join(' and ')
            if (!isTyping) choose({ where: next || undefined })
          }}
        />
      </div>
    </div>
  )
}

interface FilterProps extends ChangeFiltersProps {
  readonly onChoose: (change: ChangeSearch, replace?: boolean) => void
}

function Period({ search, onChoose }: FilterProps) {
  const { since = 'yesterday', until } = search
  const isOwn = isDay(since)
  return (
    <>
      <Select
        aria-label="Period"
        allowDeselect={false}
        data={[
          ...PERIODS.map(({ value, label }) => ({ value, label })),
          { value: FROM_A_DAY, label: 'From a day on…' },
        ]}
        value={isOwn ? FROM_A_DAY : since}
        onChange={(value) =>
          onChoose({
            since:
              value === FROM_A_DAY ? dayIn(-7) : value === 'yesterday' ? undefined : (value ?? undefined),
            until: undefined,
          })
        }
      />
      {isOwn && (
        <div className={styles['days']}>
          <TextInput
            type="date"
            aria-label="From"
            max={dayIn(0)}
            value={since}
            onChange={({ currentTarget: { value } }) => isDay(value) && onChoose({ since: value }, true)}
          />
          <TextInput
            type="date"
            aria-label="To"
            min={since}
            max={dayIn(0)}
            value={until ?? ''}
            onChange={({ currentTarget: { value } }) => onChoose({ until: value || undefined }, true)}
          />
        </div>
      )}
    </>
  )
}

function Who({ search, onChoose }: FilterProps) {
  const { data } = useQuery(
    q(ChangersDocument, { ...stretchOf(search), ...(search.where && { where: search.where }) }),
  )
  const known = data?.changers.map(({ changedBy }) => changedBy) ?? []
  const { by } = search
  const names = by !== undefined && by !== PEOPLE && !known.includes(by) ? [...known, by] : known
  return (
    <Select
      aria-label="Made by"
      placeholder="Made by anyone"
      clearable
      searchable
      data={[
        { value: PEOPLE, label: 'People and keys' },
        ...names.map((name) => ({ value: name, label: whoName(name) })),
      ]}
      value={by ?? null}
      onChange={(value) => onChoose({ by: value ?? undefined })}
    />
  )
}
