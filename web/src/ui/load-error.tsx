import { Button } from '@mantine/core'
import { CircleAlert, Lock } from 'lucide-react'
import { isForbidden, messageOf } from '#api/errors.ts'
import { Empty } from './empty-state.tsx'

interface ProblemProps {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}

/** Where content would be that could not be had. */
export function Problem({ error, onRetry }: ProblemProps) {
  if (isForbidden(error))
    return (
      <Empty icon={Lock} title="Your role does not reach this">
        {messageOf(error)} An administrator of this organisation can change your role.
      </Empty>
    )
  return (
    <Empty
      icon={CircleAlert}
      title="This could not be shown"
      action={
        onRetry && (
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      {messageOf(error)}
    </Empty>
  )
}
