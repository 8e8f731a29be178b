import type { DiscoveryRunStatus } from '#api/generated/enums-and-inputs.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { Badge } from '#ui/badge.tsx'

const BADGES = {
  pending: { tone: 'none', sign: '…' },
  running: { tone: 'info', sign: '◐' },
  waiting: { tone: 'none', sign: '…' },
  completed: { tone: 'good', sign: '✓' },
  failed: { tone: 'bad', sign: '!' },
  cancelled: { tone: 'none', sign: '×' },
} as const

export const RunStatusBadge = ({ status }: { readonly status: DiscoveryRunStatus }) => (
  <Badge {...BADGES[status]}>{sentenceCase(status)}</Badge>
)
