import { Button } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { many } from '#lib/numbers.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { ProgressStrip, SelectionBar, SelectionBars } from '#ui/table/selection-bar.tsx'
import type { RowSelection } from '#ui/table/use-selection.ts'
import { useRowByRow } from './use-row-by-row.ts'

/** Something that can be done with several rows, one after the other. */
export interface RowVerb<Row> {
  /** `Revoke` */
  readonly title: string
  readonly icon: LucideIcon
  /** Rows with which it can be done; the others of the selection are left as they are. */
  readonly fits?: (row: Row) => boolean
  readonly act: (row: Row) => Promise<unknown>
  readonly undo?: (row: Row) => Promise<unknown>
  /** What follows of it, where it cannot be undone; asked before it begins. */
  readonly warning?: string
}

interface RowByRowBarProps<Row> {
  readonly noun: string
  readonly selection: RowSelection
  /** Those that are selected. */
  readonly rows: readonly Row[]
  readonly verbs: readonly RowVerb<Row>[]
}

/** What can be done with the selected rows of a list for which the server has no job, and how far it is. */
export function RowByRowBar<Row>({ noun, selection, rows, verbs }: RowByRowBarProps<Row>) {
  const { progress, run, stop, dismiss } = useRowByRow()
  const [asked, setAsked] = useState<RowVerb<Row>>()
  const fitting = ({ fits }: RowVerb<Row>) => (fits ? rows.filter(fits) : rows)
  const start = (verb: RowVerb<Row>) => {
    setAsked(undefined)
    void run({ title: verb.title, noun, rows: fitting(verb), act: verb.act, undo: verb.undo })
    selection.clear()
  }
  return (
    <SelectionBars>
      {progress && <ProgressStrip {...progress} onStop={stop} onDismiss={dismiss} />}
      <SelectionBar selection={selection} noun={noun}>
        {verbs.map((verb) => (
          <Button
            key={verb.title}
            variant="default"
            leftSection={<verb.icon size={14} aria-hidden />}
            disabled={fitting(verb).length === 0}
            onClick={() => (verb.warning === undefined ? start(verb) : setAsked(verb))}
          >
            {verb.warning === undefined ? verb.title : `${verb.title}…`}
          </Button>
        ))}
      </SelectionBar>
      {asked && (
        <ConfirmDialog
          isOpen
          isDestructive
          title={`${asked.title} ${many(fitting(asked).length, noun)}?`}
          action={`${asked.title} ${many(fitting(asked).length, noun)}`}
          onConfirm={() => start(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{asked.warning}</p>
        </ConfirmDialog>
      )}
    </SelectionBars>
  )
}
