import { Button, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { BulkVerb } from '#api/generated/enums-and-inputs.ts'
import { BulkProgressStrip } from '#features/bulk-changes/bulk-progress-strip.tsx'
import { selected } from '#features/bulk-changes/bulk-selection.ts'
import { useBulkChange, type BulkOrder } from '#features/bulk-changes/use-bulk-change.ts'
import { dayIn } from '#lib/dates.ts'
import { many } from '#lib/numbers.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { SelectionBar, SelectionBars } from '#ui/table/selection-bar.tsx'
import type { RowSelection } from '#ui/table/use-selection.ts'
import { ExpiryField } from '../overrides/expiry-field.tsx'
import { expiresAtOf, expiryError } from '../overrides/override.ts'

const DEFAULT_DAYS = 90

const DECISIONS = [
  { verb: 'accept_risk', label: 'Accept the risk', action: 'Accept the risk' },
  { verb: 'mark_false_positive', label: 'False positive', action: 'Mark as false positive' },
  { verb: 'reopen', label: 'Reopen', action: 'Reopen' },
] as const satisfies readonly { verb: BulkVerb; label: string; action: string }[]
type Decision = (typeof DECISIONS)[number]

interface FindingDecisionsProps {
  readonly selection: RowSelection
  /** The condition of all that the list has. */
  readonly where: string
}

/** What can be decided about the selected findings, and how far a decision is. */
export function FindingDecisions({ selection, where }: FindingDecisionsProps) {
  const bulk = useBulkChange('finding')
  const [chosen, setChosen] = useState<Decision>()
  const start = async (order: BulkOrder) => {
    const it = selected(selection.selection, where)
    await bulk.start('ids' in it ? { findingIds: it.ids } : it, order)
    selection.clear()
  }
  return (
    <SelectionBars>
      {bulk.change && (
        <BulkProgressStrip change={bulk.change} onFollow={bulk.follow} onDismiss={bulk.dismiss} />
      )}
      <SelectionBar selection={selection} noun="finding">
        {DECISIONS.map((decision) => (
          <Button key={decision.verb} variant="default" onClick={() => setChosen(decision)}>
            {decision.label}…
          </Button>
        ))}
        {chosen && (
          <DecisionDialog
            decision={chosen}
            total={selection.size}
            onStart={start}
            onClose={() => setChosen(undefined)}
          />
        )}
      </SelectionBar>
    </SelectionBars>
  )
}

interface DecisionDialogProps {
  readonly decision: Decision
  readonly total: number
  readonly onStart: (order: BulkOrder) => Promise<void>
  readonly onClose: () => void
}

function DecisionDialog({ decision, total, onStart, onClose }: DecisionDialogProps) {
  const { verb, label, action } = decision
  const isReopening = verb === 'reopen'
  const form = useForm({
    initialValues: { reason: '', endsOn: dayIn(DEFAULT_DAYS) },
    validate: {
      reason: (reason) => (reason.trim() === '' ? 'Say why; others will ask' : null),
      endsOn: (endsOn) => (isReopening ? null : (expiryError(endsOn) ?? null)),
    },
  })
  return (
    <FormDialog
      isOpen
      title={`${label}: ${many(total, 'finding')}`}
      action={action}
      form={form}
      onSubmit={({ reason, endsOn }) =>
        onStart({
          verb,
          values: { reason: reason.trim(), ...(!isReopening && { expiresAt: expiresAtOf(endsOn) }) },
        })
      }
      onClose={onClose}
    >
      <p>
        {isReopening
          ? 'Overrides that are about one of these findings alone are ended. Those of a whole CVE, a tag or a condition stay.'
          : 'Each of them that is open gets an override. What is found later is not covered, and it can be undone.'}
      </p>
      <Textarea
        label="Reason"
        description="Kept with the override, for whoever asks in a year."
        autosize
        minRows={2}
        required
        data-autofocus
        {...form.getInputProps('reason')}
      />
      {!isReopening && <ExpiryField {...form.getInputProps('endsOn')} value={form.values.endsOn} />}
    </FormDialog>
  )
}
