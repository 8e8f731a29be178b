import type { ScanStatus } from '#api/generated/enums-and-inputs.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { Badge } from '#ui/badge.tsx'

const STATUS_BADGES = {
  pending: { tone: 'none', sign: '…' },
  running: { tone: 'info', sign: '◐' },
  completed: { tone: 'good', sign: '✓' },
  failed: { tone: 'bad', sign: '!' },
  cancelled: { tone: 'none', sign: '×' },
} as const

export function ScanStatusBadge({ status }: { readonly status: ScanStatus }) {
  return <Badge {...STATUS_BADGES[status]}>{sentenceCase(status)}</Badge>
}

export const isInProgress = (status: ScanStatus): boolean => status === 'pending' || status === 'running'
