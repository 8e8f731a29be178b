import type { StatementState as State } from '#api/generated/enums-and-inputs.ts'
import { Badge, type Tone } from '#ui/badge.tsx'

const looks: Readonly<Record<State, readonly [Tone, '✓' | '◐' | '○' | '…', string]>> = {
  draft: ['none', '…', 'Draft'],
  in_review: ['info', '◐', 'In review'],
  approved: ['good', '✓', 'Approved'],
  superseded: ['none', '○', 'Superseded'],
}

export function StatementState({ state }: { readonly state: State }) {
  const [tone, sign, word] = looks[state]
  return (
    <Badge tone={tone} sign={sign}>
      {word}
    </Badge>
  )
}
