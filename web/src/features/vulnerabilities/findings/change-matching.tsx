import { Button, Menu, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import type { BulkVerb } from '#api/generated/operations.ts'
import { usePermission } from '#api/use-permission.ts'
import { BulkProgressStrip } from '#features/bulk-changes/bulk-progress-strip.tsx'
import { useBulkChange, type BulkOrder } from '#features/bulk-changes/use-bulk-change.ts'
import { dayIn } from '#lib/dates.ts'
import { many } from '#lib/numbers.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { ExpiryField } from '../overrides/expiry-field.tsx'
import { expiresAtOf, expiryError } from '../overrides/override.ts'
import type { FindingSearch } from './finding-search-params.ts'
import styles from './findings-page.module.css'

/** What the list has without a condition. */
const OPEN = 'status = open'
const DEFAULT_DAYS = 90

const DECISIONS = [
  { verb: 'accept_risk', label: 'Accept the risk', action: 'Accept the risk' },
  { verb: 'mark_false_positive', label: 'False positive', action: 'Mark as false positive' },
  { verb: 'reopen', label: 'Reopen', action: 'Reopen' },
] as const satisfies readonly { verb: BulkVerb; label: string; action: string }[]
type Decision = (typeof DECISIONS)[number]

interface ChangeMatchingProps {
  readonly search: FindingSearch
  /** How many findings the list has; undefined while loading. */
  readonly total: number | undefined
}

/** One decision about all findings that the condition of the list finds; words to search for are no condition. */
export function ChangeMatching({ search, total = 0 }: ChangeMatchingProps) {
  const may = usePermission()
  const bulk = useBulkChange()
  const [chosen, setChosen] = useState<Decision>()
  const isOffered = may('overrides:write') && total > 0 && search.text === undefined
  return (
    <>
      {isOffered && <DecisionMenu total={total} onChoose={setChosen} />}
      {chosen && (
        <DecisionDialog
          decision={chosen}
          total={total}
          onStart={(order) => bulk.start({ where: search.where ?? OPEN }, order)}
          onClose={() => setChosen(undefined)}
        />
      )}
      {bulk.change && (
        <div className={styles['strip']}>
          <BulkProgressStrip change={bulk.change} onFollow={bulk.follow} onDismiss={bulk.dismiss} />
        </div>
      )}
    </>
  )
}

interface DecisionMenuProps {
  readonly total: number
  readonly onChoose: (decision: Decision) => void
}

function DecisionMenu({ total, onChoose }: DecisionMenuProps) {
  return (
    <div className={styles['change']}>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" size="xs" rightSection={<ChevronDown size={14} aria-hidden />}>
            Decide about {total === 1 ? 'this finding' : `all ${many(total, 'finding')}`}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {DECISIONS.map((decision) => (
            <Menu.Item key={decision.verb} onClick={() => onChoose(decision)}>
              {decision.label}…
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
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
