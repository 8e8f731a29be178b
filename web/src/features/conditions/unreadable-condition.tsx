import { CircleHelp } from 'lucide-react'
import { EmptyState } from '#ui/empty-state.tsx'
import { faultOf } from './use-condition-count.ts'

/** In place of a list whose condition the server could not read, as after a link that was cut off. */
export function UnreadableCondition({ error }: { readonly error: unknown }) {
  return (
    <EmptyState icon={CircleHelp} title="This condition cannot be read">
      {faultOf(error)?.message}. Select its term in the box above to mend it, or remove the term.
    </EmptyState>
  )
}
