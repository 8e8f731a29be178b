import { Button } from '@mantine/core'
import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { CircleAlert, Compass, Lock } from 'lucide-react'
import { isForbidden, isNotFound, messageOf } from '#api/errors.ts'
import { EmptyState } from './empty-state.tsx'

interface LoadErrorProps {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}

/** In place of content that could not be loaded: permission denied, not there, or an error with a retry button. */
export function LoadError({ error, onRetry }: LoadErrorProps) {
  if (isForbidden(error))
    return (
      <EmptyState icon={Lock} title="Your role does not reach this">
        {messageOf(error)} An administrator of this organisation can change your role.
      </EmptyState>
    )
  if (isNotFound(error)) return <NotThere error={error} />
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

function NotThere({ error }: Pick<LoadErrorProps, 'error'>) {
  const above = useScreenAbove()
  return (
    <EmptyState
      icon={Compass}
      title="It is not here"
      action={
        above !== undefined && (
          <Button variant="default" renderRoot={(props) => <Link to={above} {...props} />}>
            Go one level up
          </Button>
        )
      }
    >
      {messageOf(error)} It was deleted, or its address is wrong, or it belongs to another organisation.
    </EmptyState>
  )
}

/** The nearest screen above the address that is of no single thing; undefined: the address is that of such a screen. */
function useScreenAbove(): string | undefined {
  const { pathname } = useLocation()
  const { routesByPath } = useRouter()
  if (pathname in routesByPath) return undefined
  const parts = pathname.split('/').slice(1, -1)
  const above = parts.map((_, at) => `/${parts.slice(0, at + 1).join('/')}`)
  return above.findLast((path) => path in routesByPath) ?? '/'
}
