import { Menu } from '@mantine/core'
import { useRouteContext } from '@tanstack/react-router'
import { Check, ChevronsUpDown } from 'lucide-react'
import { inTenant } from '#api/tenant-url.ts'
import styles from './menu-button.module.css'

/** The organisation of this page; a menu for members of several. The links load the page anew. */
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
        {tenants.map(({ id, slug, name }) => (
          <Menu.Item
            key={id}
            component="a"
            href={inTenant('/', slug)}
            rightSection={id === tenant.id && <Check size={14} aria-label="current" />}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
