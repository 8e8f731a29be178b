import { Badge } from '#ui/badge.tsx'

export function PartnerApiState({ isEnabled }: { readonly isEnabled: boolean }) {
  return isEnabled ? (
    <Badge tone="good" sign="●">
      On
    </Badge>
  ) : (
    <Badge sign="○">Off</Badge>
  )
}
