import type { ImportStatus } from '#api/generated/enums-and-inputs.ts'
import { Badge } from '#ui/badge.tsx'

const STATUS_BADGES = {
  uploading: { tone: 'none', sign: '…', word: 'Uploading' },
  checking: { tone: 'info', sign: '◐', word: 'Reading' },
  ready: { tone: 'accent', sign: '○', word: 'To be confirmed' },
  waiting: { tone: 'none', sign: '…', word: 'Waiting' },
  running: { tone: 'info', sign: '◐', word: 'Importing' },
  completed: { tone: 'good', sign: '✓', word: 'Imported' },
  failed: { tone: 'bad', sign: '!', word: 'Failed' },
  cancelled: { tone: 'none', sign: '×', word: 'Cancelled' },
} as const

export function ImportStatusBadge({ status }: { readonly status: ImportStatus }) {
  const { word, ...look } = STATUS_BADGES[status]
  return <Badge {...look}>{word}</Badge>
}

/** Whether the status will change without user action. */
export const isInProgress = (status: ImportStatus): boolean =>
  status === 'uploading' || status === 'checking' || status === 'waiting' || status === 'running'
