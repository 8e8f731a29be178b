import type { ControlStatus } from '#api/generated/enums-and-inputs.ts'
import { Badge, type Tone } from '#ui/badge.tsx'

const looks: Readonly<Record<ControlStatus, readonly [Tone, '✓' | '!' | '×' | '○' | '…', string]>> = {
  pass: ['good', '✓', 'Pass'],
  fail: ['bad', '×', 'Fail'],
  warning: ['warn', '!', 'Warning'],
  not_applicable: ['none', '○', 'Not applicable'],
  not_assessed: ['none', '…', 'Not assessed'],
}

/** The status of a control or check; null: not judged yet. */
export function StatusBadge({ status }: { readonly status: ControlStatus | null }) {
  const [tone, sign, word] = looks[status ?? 'not_assessed']
  return (
    <Badge tone={tone} sign={sign}>
      {word}
    </Badge>
  )
}
