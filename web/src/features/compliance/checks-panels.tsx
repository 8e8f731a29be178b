import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { JudgedCheckRow } from '#api/generated/compliance.ts'
import { count } from '#lib/numbers.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { Badge } from '#ui/badge.tsx'
import { Panel } from '#ui/panel.tsx'
import { Several, TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { severityTones } from './severity-tones.ts'

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
  const failing = checks?.filter(({ status }) => status === 'fail')
  const { shown, button } = useFirst(failing)
  return (
    <Panel isFlush title="What to do first" aside={failing && `${count(failing.length)} checks fail`}>
      <DataTable
        label="Checks that fail"
        columns={failingColumns(framework)}
        rows={shown}
        keyOf={({ id }) => id}
        error={error}
        onRetry={onRetry}
        empty={<p className="quiet">No check fails.</p>}
      />
      {button}
    </Panel>
  )
}

/** The first of them until more are asked for. */
function useFirst(checks: readonly JudgedCheckRow[] | undefined) {
  const [isWhole, setWhole] = useState(false)
  const more = (checks?.length ?? 0) - FIRST
  return {
    shown: isWhole ? checks : checks?.slice(0, FIRST),
    button: more > 0 && (
      <p>
        <Button variant="subtle" size="compact-sm" onClick={() => setWhole(!isWhole)}>
          {isWhole ? `The first ${FIRST} only` : `${count(more)} more`}
        </Button>
      </p>
    ),
  }
}

/** Checks that cannot say enough: what was never collected of which assets. Nothing when all is known. */
export function UnknownPanel({ framework, checks }: Pick<ChecksPanelProps, 'framework' | 'checks'>) {
  const unknown = checks?.filter((check) => check.status !== 'fail' && check.unknown > 0) ?? []
  const { shown, button } = useFirst(unknown)
  if (unknown.length === 0) return null
  return (
    <Panel isFlush title="Not known" aside="counts as no pass">
      <p className="quiet">
        What these checks ask was never collected of these assets. Scans with a login and agents tell most of
        it; the page of a check says what would.
      </p>
      <DataTable
        label="Checks that lack facts"
        columns={unknownColumns(framework)}
        rows={shown}
        keyOf={({ id }) => id}
        empty={null}
      />
      {button}
    </Panel>
  )
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
  {
    title: 'What should hold, and what to do',
    cell: (check) => <TwoLines below={check.next}>{linkTo(check)}</TwoLines>,
  },
  {
    title: 'Severity',
    isMinor: true,
    sortBy: ({ severity }) => Object.keys(severityTones).indexOf(severity),
    cell: ({ severity }) => <Badge tone={severityTones[severity]}>{sentenceCase(severity)}</Badge>,
  },
  {
    title: 'Not met by',
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
  { title: 'What should hold', cell: linkTo },
  {
    title: 'Unknown',
    align: 'right',
    cell: ({ unknown, inScope }) => `${count(unknown)}\u00a0of\u00a0${count(inScope)}`,
  },
  controlsColumn(framework),
]
