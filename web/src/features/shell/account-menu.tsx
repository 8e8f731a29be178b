import { Menu } from '@mantine/core'
import { useRouteContext } from '@tanstack/react-router'
import { BookOpen, ChevronsUpDown, LogOut, MonitorX } from 'lucide-react'
import { messageOf } from '#api/errors.ts'
import { signOut, signOutEverywhere } from '#api/session.ts'
import { toastFailed } from '#ui/toast.ts'
import styles from './menu-button.module.css'

export function AccountMenu({ isNarrow }: { readonly isNarrow: boolean }) {
  const { session } = useRouteContext({ from: '/app' })
  const { email, name } = session.user
  return (
    <Menu position="top-start" width={240}>
      <Menu.Target>
        <button
          type="button"
          className={`${styles['face']} ${styles['button']}`}
          aria-label={isNarrow ? `Account ${email}` : undefined}
        >
          <span className={`${styles['mark']} ${styles['round']}`} aria-hidden>
            {(name || email).charAt(0).toUpperCase()}
          </span>
          {!isNarrow && <span className={`${styles['name']} ${styles['plain']}`}>{name || email}</span>}
          {!isNarrow && <ChevronsUpDown size={14} aria-hidden />}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{email}</Menu.Label>
        <Menu.Item
          component="a"
          href="/docs"
          target="_blank"
          leftSection={<BookOpen size={14} aria-hidden />}
        >
          Documents
        </Menu.Item>
        <Menu.Item leftSection={<LogOut size={14} aria-hidden />} onClick={() => void leave(signOut)}>
          Sign out
        </Menu.Item>
        <Menu.Item
          leftSection={<MonitorX size={14} aria-hidden />}
          onClick={() => void leave(signOutEverywhere)}
        >
          Sign out everywhere
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** A full page load discards all data of the session. */
export async function leave(how: () => Promise<unknown>): Promise<void> {
  await how().then(
    () => location.assign('/sign-in'),
    (error: unknown) => toastFailed(messageOf(error)),
  )
}
