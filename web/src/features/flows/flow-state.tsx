import { sentenceCase } from '#lib/sentence-case.ts'
import { Badge } from '#ui/badge.tsx'

interface FlowStateProps {
  readonly enabled: boolean
  readonly publishedVersion: number | null
  readonly pausedReason: string | null
}

export function FlowState({ enabled, publishedVersion, pausedReason }: FlowStateProps) {
  if (enabled)
    return (
      <Badge tone="good" sign="●">
        On
      </Badge>
    )
  if (pausedReason !== null)
    return (
      <Badge tone="bad" sign="!">
        Paused
      </Badge>
    )
  return (
    <Badge tone="none" sign="○">
      {publishedVersion === null ? 'Draft' : 'Off'}
    </Badge>
  )
}

const RUN_BADGES = {
  succeeded: { tone: 'good', sign: '✓' },
  failed: { tone: 'bad', sign: '×' },
  skipped: { tone: 'warn', sign: '!' },
  cancelled: { tone: 'none', sign: '○' },
  waiting: { tone: 'info', sign: '…' },
  running: { tone: 'info', sign: '◐' },
  pending: { tone: 'info', sign: '…' },
  new: { tone: 'info', sign: '…' },
} as const

export type RunStatus = keyof typeof RUN_BADGES

export const RunState = ({ status }: { readonly status: RunStatus }) => (
  <Badge {...RUN_BADGES[status]}>{sentenceCase(status)}</Badge>
)
