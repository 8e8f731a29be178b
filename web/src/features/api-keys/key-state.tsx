import type { ApiKeyRow } from '#api/generated/api-keys.ts'
import { Badge } from '#ui/badge.tsx'
import { expiresSoon } from './key-expiry.ts'

export const isUsable = ({ revokedAt, isExpired }: ApiKeyRow): boolean => revokedAt === null && !isExpired

export function KeyState({ apiKey }: { readonly apiKey: ApiKeyRow }) {
  if (apiKey.revokedAt !== null) return <Badge sign="×">Revoked</Badge>
  if (apiKey.isExpired) return <Badge sign="○">Expired</Badge>
  if (expiresSoon(apiKey.expiresAt))
    return (
      <Badge tone="warn" sign="!">
        Expires soon
      </Badge>
    )
  return (
    <Badge tone="good" sign="●">
      Active
    </Badge>
  )
}
