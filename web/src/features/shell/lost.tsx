import { Button } from '@mantine/core'
import { Link, type ErrorComponentProps } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { Empty } from '#ui/empty.tsx'
import { Page } from '#ui/page.tsx'
import { Problem } from '#ui/problem.tsx'

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
  return (
    <Page title="Something broke">
      <Problem error={error} onRetry={reset} />
    </Page>
  )
}
