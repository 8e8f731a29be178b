import { Button } from '@mantine/core'
import { Link, type ErrorComponentProps } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { ScreenNotLoaded } from '#api/lazy-screen.ts'
import { Empty } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Problem } from '#ui/load-error.tsx'
import { NotLoaded } from './chunk-load-error.tsx'

export function NotFound() {
  return (
    <main>
      <Page title="Not found">
        <Empty
          icon={Compass}
          title="There is no such page"
          action={
            <Button variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
              Go to the overview
            </Button>
          }
        >
          The address may be mistyped, or what it showed is gone.
        </Empty>
      </Page>
    </main>
  )
}

/** What is left of a screen that threw; the frame around it stays. */
export function Broken({ error, reset }: ErrorComponentProps) {
  if (error instanceof ScreenNotLoaded) return <NotLoaded />
  return (
    <Page title="Something broke">
      <Problem error={error} onRetry={reset} />
    </Page>
  )
}
