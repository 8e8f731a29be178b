import type { BulkProgress } from '#api/generated/bulk-changes.ts'
import { count, many } from '#lib/numbers.ts'
import { sentenceCase } from '#lib/sentence-case.ts'

type Change = Pick<
  BulkProgress,
  'verb' | 'subject' | 'values' | 'status' | 'message' | 'total' | 'done' | 'changed' | 'undoOf' | 'undoneBy'
>

interface Values {
  readonly tags?: readonly string[]
  readonly criticality?: string
  readonly exposure?: string
  readonly record?: Readonly<Record<string, unknown>>
}

/** What a bulk change does, as words for a title: `Add the tag edge`. */
export function titleOf({ verb, values }: Pick<Change, 'verb' | 'values'>): string {
  const { tags = [], criticality, exposure, record = {} } = (values ?? {}) as Values
  const named = `the ${tags.length === 1 ? 'tag' : 'tags'} ${tags.join(', ')}`
  switch (verb) {
    case 'add_tags':
      return `Add ${named}`
    case 'remove_tags':
      return `Remove ${named}`
    case 'set_weight':
      return [criticality && `Criticality ${criticality}`, exposure && `Exposure ${exposure}`]
        .filter(Boolean)
        .join(', ')
    case 'set_record':
      return Object.entries(record).map(recorded).join(', ')
    case 'set_field':
      return 'Custom field'
    case 'archive':
      return 'Archive'
    case 'revive':
      return 'Restore from the archive'
    case 'delete':
      return 'Delete'
    case 'accept_risk':
      return 'Accept the risk'
    case 'mark_false_positive':
      return 'False positive'
    case 'reopen':
      return 'Reopen'
  }
}

const recorded = ([field, value]: [string, unknown]): string =>
  value === null || value === ''
    ? `No ${field}`
    : `${sentenceCase(field)} ${typeof value === 'string' ? value : JSON.stringify(value)}`

/** How far a bulk change is, or how it ended. */
export function outcomeOf(change: Change): string {
  const { subject, status, message, total, done, changed, undoOf } = change
  const title = undoOf === null ? titleOf(change) : `Undo: ${titleOf(change)}`
  switch (status) {
    case 'collecting':
      return `${title}: collecting, ${count(total)} so far`
    case 'running':
      return `${title}: ${count(done)} of ${many(total, subject)}`
    case 'completed':
      return `${title}: ${done === changed ? 'done on' : `changed ${count(changed)} of`} ${many(total, subject)}`
    case 'cancelled':
      return `${title}: stopped after ${count(done)} of ${many(total, subject)}; these stay changed`
    case 'failed':
      return `${title}: failed after ${count(done)} of ${many(total, subject)}. ${message}`
  }
}

/** Whether what the change did can be taken back. */
export const isUndoable = ({ verb, status, changed, undoOf, undoneBy }: Change): boolean =>
  verb !== 'delete' &&
  undoOf === null &&
  undoneBy === null &&
  changed > 0 &&
  (status === 'completed' || status === 'cancelled' || status === 'failed')
