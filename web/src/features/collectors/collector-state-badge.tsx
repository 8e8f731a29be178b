import type { CollectorRow } from '#api/generated/collectors.ts'
import { Badge } from '#ui/badge.tsx'

export function CollectorStateBadge({ state }: Pick<CollectorRow, 'state'>) {
  switch (state) {
    case 'online':
      return (
        <Badge tone="good" sign="●">
          Online
        </Badge>
      )
    case 'waiting':
      return <Badge sign="…">Waiting for its first start</Badge>
    case 'offline':
      return (
        <Badge tone="warn" sign="!">
          Not heard of
        </Badge>
      )
    case 'revoked':
      return <Badge sign="×">Revoked</Badge>
  }
}
