import { useRouteContext } from '@tanstack/react-router'
import { usePermission } from '#api/use-permission.ts'
import { PlacesPanel } from '#features/records/places-panel.tsx'
import { ApprovalSetting } from '#features/vulnerabilities/overrides/approval-setting.tsx'
import { Page } from '#ui/page.tsx'
import { AccountPanel } from './account-panel.tsx'
import { CustomFieldsPanel } from './custom-fields-panel.tsx'
import { OrganisationPanel } from './organisation-panel.tsx'
import { ReadingPanel } from './reading-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'
import styles from './settings-page.module.css'
import { SingleSignOnPanel } from './single-sign-on-panel.tsx'

export function SettingsPage() {
  const may = usePermission()
  const { tenant } = useRouteContext({ from: '/app' }).session
  return (
    <Page title="Settings" description={`Your account, and the organisation ${tenant.name}.`}>
      <div className={styles['columns']}>
        <AccountPanel />
        <ReadingPanel />
        <SessionsPanel />
        {may('settings:read') && <OrganisationPanel />}
        {may('overrides:read') && <ApprovalSetting />}
        {may('assets:read') && <PlacesPanel />}
        {may('assets:read') && <CustomFieldsPanel />}
        {may('settings:read') && <SingleSignOnPanel />}
      </div>
    </Page>
  )
}
