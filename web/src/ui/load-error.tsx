import { Button } from '@mantine/core'
import { CircleAlert, Lock } from 'lucide-react'
import { isForbidden, messageOf } from '#api/errors.ts'
import { EmptyState } from './empty-state.tsx'

interface LoadErrorProps {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}

/** In place of content that could not be loaded: permission denied, or an error with a retry button. */
export function LoadError({ error, onRetry }: LoadErrorProps) {
  if (isForbidden(error))
    return (
      <EmptyState icon={Lock} title="Your role does not reach this">
        {messageOf(error)} An administrator of this organisation can change your role.
      </EmptyState>
    )
  return (
    <EmptyState
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
    </EmptyState>
  )
}
