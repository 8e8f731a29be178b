import { Menu } from '@mantine/core'
import { useRouteContext } from '@tanstack/react-router'
import { Check, ChevronsUpDown } from 'lucide-react'
import { messageOf } from '#api/errors.ts'
import { switchTenant } from '#api/session.ts'
import { toastFailed } from '#ui/toast.ts'
import styles from './switch.module.css'

/** The organisation one works in; a menu for those who work in several. */
export function TenantSwitch({ isNarrow }: { readonly isNarrow: boolean }) {
  const { session } = useRouteContext({ from: '/app' })
  const { tenant, tenants } = session
  const face = (
    <>
      <span className={styles['mark']} aria-hidden>
        {tenant.name.charAt(0).toUpperCase()}
      </span>
      {!isNarrow && <span className={styles['name']}>{tenant.name}</span>}
    </>
  )
  if (tenants.length < 2)
    return (
      <div className={styles['face']} title={tenant.name}>
        {face}
      </div>
    )
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <button type="button" className={`${styles['face']} ${styles['button']}`}>
          {face}
          {!isNarrow && <ChevronsUpDown size={14} aria-hidden />}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Work in</Menu.Label>
        {tenants.map(({ id, name }) => (
          <Menu.Item
            key={id}
            onClick={() => void enter(id)}
            rightSection={id === tenant.id && <Check size={14} aria-label="current" />}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The page starts anew: nothing of one organisation stays in memory in another. */
async function enter(tenantId: string): Promise<void> {
  await switchTenant(tenantId).then(
    () => location.assign('/'),
    (error: unknown) => toastFailed(messageOf(error)),
  )
}
