import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ScrollText, Search } from 'lucide-react'
import { useState } from 'react'
import { AuditLogDocument, type AuditRow } from '#api/generated/audit.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import { spaced } from '#lib/in-words.ts'
import { Badge } from '#ui/badge.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Panel } from '#ui/panel.tsx'
import { Time } from '#ui/time.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { AuditDrawer } from './audit-drawer.tsx'
import styles from './audit-page.module.css'
import { SPANS, variablesOf, type AuditSearch, readAuditSearch } from './audit-search-params.ts'
import { AuditSubject } from './audit-subject.tsx'
import { actionInWords, SUBJECTS } from './audit-words.ts'

const SIZE = 50
const TYPING_MS = 200

export function AuditPage() {
  const search = useSearch({ from: '/app/audit', select: readAuditSearch, structuralSharing: true })
  const [offset, setOffset] = useOffset('Audit log')
  const [opened, setOpened] = useState<AuditRow>()
  const { data, error, refetch } = useQuery({
    ...q(AuditLogDocument, { ...variablesOf(search), first: SIZE, offset }),
    placeholderData: keepPreviousData,
  })
  const total = data?.auditEntries.total
  return (
    <Page
      title="Audit log"
      aside={total !== undefined && <Badge>{count(total)}</Badge>}
      description="Who changed what, and from where. Entries are never changed or removed; rollcall audit verify proves it."
    >
      <Filters search={search} />
      <Panel isFlush>
        <DataTable
          label="Audit log"
          columns={columnsFor(setOpened)}
          rows={data?.auditEntries.items}
          keyOf={({ id }) => id}
          error={error}
          onRetry={() => void refetch()}
          empty={<NothingFound />}
        />
        {total !== undefined && <Pagination total={total} offset={offset} size={SIZE} onOffset={setOffset} />}
      </Panel>
      <AuditDrawer entry={opened} search={search} onClose={() => setOpened(undefined)} />
    </Page>
  )
}

const columnsFor = (onOpen: (entry: AuditRow) => void): readonly Column<AuditRow>[] => [
  {
    title: 'Action',
    cell: (entry) => (
      <TwoLines below={<AuditSubject entry={entry} />}>
        <button type="button" className={styles['open']} title={entry.action} onClick={() => onOpen(entry)}>
          {actionInWords(entry.action)}
        </button>
      </TwoLines>
    ),
  },
  {
    title: 'Who',
    cell: ({ actorName, actorId, actorKind }) => (
      <TwoLines below={spaced(actorKind)}>
        <span className={styles['who']}>{breakable(actorName ?? actorId)}</span>
      </TwoLines>
    ),
  },
  { title: 'From', isMinor: true, cell: ({ address }) => <code>{address}</code> },
  { title: 'When', cell: ({ at }) => <Time at={at} /> },
]

/** An address of mail is broken after its @ before it is broken anywhere. */
function breakable(name: string) {
  const [local, ...domain] = name.split('@')
  return domain.length === 0 ? (
    name
  ) : (
    <>
      {local}@<wbr />
      {domain.join('@')}
    </>
  )
}

interface FiltersProps {
  readonly search: AuditSearch
}

function Filters({ search }: FiltersProps) {
  const navigate = useNavigate()
  const choose = (change: AuditSearch) => {
    void navigate({ to: '/audit', search: { ...search, ...change }, replace: true })
  }
  const type = useDebouncedCallback((text: string) => choose({ text: text || undefined }), TYPING_MS)
  return (
    <div className={styles['filters']}>
      <TextInput
        type="search"
        aria-label="Search the audit log"
        placeholder="Search names, ids, addresses, values"
        leftSection={<Search size={14} aria-hidden />}
        defaultValue={search.text ?? ''}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
      <Select
        aria-label="About"
        placeholder="About everything"
        clearable
        searchable
        nothingFoundMessage="Nothing is called that"
        data={subjectsToChoose(search.about)}
        value={search.about ?? null}
        onChange={(about) => choose({ about: about ?? undefined })}
      />
      <Select
        aria-label="When"
        placeholder="At any time"
        clearable
        data={SPANS.map(({ value, label }) => ({ value, label }))}
        value={search.span ?? null}
        onChange={(span) => choose({ span: span ?? undefined })}
      />
    </div>
  )
}

/** All subjects by name, and the one action that is asked for. */
function subjectsToChoose(about: string | undefined) {
  const action = about?.includes('.') ? [{ value: about, label: actionInWords(about) }] : []
  return [...action, ...SUBJECTS.toSorted((a, b) => a.label.localeCompare(b.label))]
}

function NothingFound() {
  const navigate = useNavigate()
  return (
    <EmptyState
      icon={ScrollText}
      title="No entry fits"
      action={
        <Button variant="default" onClick={() => void navigate({ to: '/audit', search: {} })}>
          Clear the filters
        </Button>
      }
    >
      The search looks in every part of an entry: who, what, from where, and the values before and after.
    </EmptyState>
  )
}
