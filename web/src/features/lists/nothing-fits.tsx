import { Button } from '@mantine/core'
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '#ui/empty-state.tsx'
import { useListSearch } from './use-list-search.ts'

interface NothingFitsProps {
  readonly title?: string
  readonly children?: ReactNode
}

/** In place of a list that its filters leave empty. */
export function NothingFits({ title = 'Nothing fits these filters', children }: NothingFitsProps) {
  const change = useListSearch()
  return (
    <EmptyState
      icon={Search}
      title={title}
      action={
        <Button variant="default" onClick={() => change({}, { isAlone: true })}>
          Clear the filters
        </Button>
      }
    >
      {children ?? 'A condition leaves out what nobody knows the answer of; “not has …” finds it.'}
    </EmptyState>
  )
}
