import { Popover } from '@mantine/core'
import { useRouteContext } from '@tanstack/react-router'
import { ChevronsUpDown } from 'lucide-react'
import { Suspense, useState } from 'react'
import { lazyScreen } from '#api/lazy-screen.ts'
import styles from './menu-button.module.css'

const TenantChoices = lazyScreen(() => import('./tenant-choices.tsx'), 'TenantChoices')

/** The organisation of this page; a choice for members of several. The links load the page anew. */
export function TenantSwitch({ isNarrow }: { readonly isNarrow: boolean }) {
  const { session } = useRouteContext({ from: '/app' })
  const [isOpen, setOpen] = useState(false)
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
    <Popover position="bottom-start" width={260} trapFocus opened={isOpen} onChange={setOpen}>
      <Popover.Target>
        <button
          type="button"
          className={`${styles['face']} ${styles['button']}`}
          onClick={() => setOpen(!isOpen)}
        >
          {face}
          {!isNarrow && <ChevronsUpDown size={14} aria-hidden />}
        </button>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label="Organisations">
        <Suspense fallback={null}>
          <TenantChoices tenants={tenants} current={tenant.id} onLeave={() => setOpen(false)} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
