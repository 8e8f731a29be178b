import { Button } from '@mantine/core'
import { Link, type ErrorComponentProps } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { ChunkLoadError } from '#api/lazy-screen.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { ChunkLoadErrorScreen } from './chunk-load-error.tsx'

/** What an address shows that leads nowhere; the layout around it stays. */
export const NotFound = () => (
  <Page title="Not found">
    <EmptyState
      icon={Compass}
      title="There is no such page"
      action={
        <Button variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
          Go to the overview
        </Button>
      }
    >
      The address may be mistyped, or what it showed is gone.
    </EmptyState>
  </Page>
)

/** The error boundary of a screen; the layout around it stays. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  if (error instanceof ChunkLoadError) return <ChunkLoadErrorScreen />
  return (
    <Page title="Something broke">
      <LoadError error={error} onRetry={reset} />
    </Page>
  )
}
