import type { ReportStatus } from '#api/generated/enums-and-inputs.ts'
import { Badge } from '#ui/badge.tsx'

const STATUS_BADGES = {
  pending: { tone: 'none', sign: '…', word: 'Not run yet' },
  generating: { tone: 'info', sign: '◐', word: 'Generating' },
  available: { tone: 'good', sign: '✓', word: 'Available' },
  failed: { tone: 'bad', sign: '!', word: 'Failed' },
} as const

export function ReportStatusBadge({ status }: { readonly status: ReportStatus }) {
  const { word, ...look } = STATUS_BADGES[status]
  return <Badge {...look}>{word}</Badge>
}
