import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Page } from '#ui/page.tsx'
import { EnrolmentTokensPanel } from './enrolment-tokens-panel.tsx'

export const EnrolmentTokensPage = () => (
  <Page
    title="Enrolment tokens"
    description="What hosts show to enrol an agent of ours, and what agents of others report with."
    actions={
      <Button variant="default" renderRoot={(props) => <Link to="/agents" {...props} />}>
        Agents
      </Button>
    }
  >
    <EnrolmentTokensPanel />
  </Page>
)
