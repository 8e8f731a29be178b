import { ActionIcon } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { Check, Copy } from 'lucide-react'

export function CopyButton({ value, label }: { readonly value: string; readonly label: string }) {
  const clipboard = useClipboard({ timeout: 1_600 })
  const Icon = clipboard.copied ? Check : Copy
  return (
    <ActionIcon
      variant="subtle"
      size="sm"
      color="gray"
      aria-label={clipboard.copied ? 'Copied' : label}
      onClick={() => clipboard.copy(value)}
    >
      <Icon size={13} aria-hidden />
    </ActionIcon>
  )
}
