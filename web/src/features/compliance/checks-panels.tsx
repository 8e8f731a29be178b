import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { JudgedCheckRow } from '#api/generated/operations.ts'
import { count } from '#lib/numbers.ts'
import { Badge, type Tone } from '#ui/badge.tsx'
import { Panel } from '#ui/panel.tsx'
import { Several, TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'

interface ChecksPanelProps {
  readonly framework: string
  /** Undefined while they are loaded; in the order of their need. */
  readonly checks: readonly JudgedCheckRow[] | undefined
  readonly error: unknown
  readonly onRetry: () => void
}

const FIRST = 5

/** The checks that fail, the worst first: what is wrong, with how many assets, and what to do about it. */
export function FirstPanel({ framework, checks, error, onRetry }: ChecksPanelProps) {
  const [isWhole, setWhole] = useState(false)
  const failing = checks?.filter(({ status }) => status === 'fail')
  const more = (failing?.length ?? 0) - FIRST
  return (
    <Panel isFlush title="What to do first" aside={failing && `${count(failing.length)} checks fail`}>
      <DataTable
        label="Checks that fail"
        columns={failingColumns(framework)}
        rows={isWhole ? failing : failing?.slice(0, FIRST)}
        keyOf={({ id }) => id}
        error={error}
        onRetry={onRetry}
        empty={<p className="quiet">No check fails.</p>}
      />
      {more > 0 && (
        <p>
          <Button variant="subtle" size="compact-sm" onClick={() => setWhole(!isWhole)}>
            {isWhole ? `The first ${FIRST} only` : `${count(more)} more`}
          </Button>
        </p>
      )}
    </Panel>
  )
}

/** Checks that cannot say enough: what was never collected of which assets. Nothing when all is known. */
export function UnknownPanel({ framework, checks }: Pick<ChecksPanelProps, 'framework' | 'checks'>) {
  const unknown = checks?.filter((check) => check.status !== 'fail' && check.unknown > 0) ?? []
  if (unknown.length === 0) return null
  return (
    <Panel isFlush title="Not known" aside="counts as no pass">
      <p className="quiet">
        What these checks ask was never collected of these assets. Scans with a login and agents tell most of
        it.
      </p>
      <DataTable
        label="Checks that lack facts"
        columns={unknownColumns(framework)}
        rows={unknown}
        keyOf={({ id }) => id}
        empty={null}
      />
    </Panel>
  )
}

const tones: Readonly<Record<JudgedCheckRow['severity'], Tone>> = {
  critical: 'bad',
  high: 'bad',
  medium: 'warn',
  low: 'none',
}

const linkTo = ({ id, title }: JudgedCheckRow) => (
  <Link to="/compliance/checks/$checkId" params={{ checkId: id }}>
    {title}
  </Link>
)

const controlsColumn = (framework: string): Column<JudgedCheckRow> => ({
  title: 'Controls',
  isMinor: true,
  cell: ({ controlIds }) => (
    <Several>
      {controlIds.map((controlId) => (
        <Link
          key={controlId}
          to="/compliance/$framework/controls/$controlId"
          params={{ framework, controlId }}
          style={{ whiteSpace: 'nowrap' }}
        >
          {controlId}
        </Link>
      ))}
    </Several>
  ),
})

const failingColumns = (framework: string): readonly Column<JudgedCheckRow>[] => [
  { title: 'Check', cell: (check) => <TwoLines below={check.next}>{linkTo(check)}</TwoLines> },
  {
    title: 'Severity',
    sortBy: ({ severity }) => Object.keys(tones).indexOf(severity),
    cell: ({ severity }) => <Badge tone={tones[severity]}>{severity}</Badge>,
  },
  {
    title: 'Assets that fail',
    sortBy: ({ failed }) => failed,
    align: 'right',
    cell: ({ failed, inScope }) => `${count(failed)}\u00a0of\u00a0${count(inScope)}`,
  },
  {
    title: 'Excepted',
    sortBy: ({ excepted }) => excepted,
    isMinor: true,
    align: 'right',
    cell: ({ excepted }) => count(excepted),
  },
  controlsColumn(framework),
]

const unknownColumns = (framework: string): readonly Column<JudgedCheckRow>[] => [
  { title: 'Check', cell: linkTo },
  {
    title: 'Unknown',
    align: 'right',
    cell: ({ unknown, inScope }) => `${count(unknown)}\u00a0of\u00a0${count(inScope)}`,
  },
  controlsColumn(framework),
]
