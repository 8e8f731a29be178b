import { Page } from '#ui/page.tsx'
import { ContractsPanel } from './contracts-panel.tsx'
import { EntitlementsPanel } from './entitlements-panel.tsx'

export function ContractsPage() {
  return (
    <Page
      title="Contracts and licences"
      description="What was agreed with suppliers, and how many uses of software were bought under it."
    >
      <ContractsPanel />
      <EntitlementsPanel />
    </Page>
  )
}
