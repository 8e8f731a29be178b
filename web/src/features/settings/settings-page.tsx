import { useRouteContext } from '@tanstack/react-router'
import { useMay } from '#api/use-permission.ts'
import { ApprovalPanel } from '#features/vulnerabilities/overrides/approval-setting.tsx'
import { Page } from '#ui/page.tsx'
import { AccountPanel } from './account-panel.tsx'
import { CustomFieldsPanel } from './custom-fields-panel.tsx'
import { OrganisationPanel } from './organisation-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'
import styles from './settings-page.module.css'
import { SignOnPanel } from './single-sign-on-panel.tsx'

export function SettingsPage() {
  const may = useMay()
  const { tenant } = useRouteContext({ from: '/app' }).session
  return (
    <Page title="Settings" description={`Your account, and the organisation ${tenant.name}.`}>
      <div className={styles['columns']}>
        <AccountPanel />
        <SessionsPanel />
        {may('settings:read') && <OrganisationPanel />}
        {may('overrides:read') && <ApprovalPanel />}
        {may('assets:read') && <CustomFieldsPanel />}
        {may('settings:read') && <SignOnPanel />}
      </div>
    </Page>
  )
}
