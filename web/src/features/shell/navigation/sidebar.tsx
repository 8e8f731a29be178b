import { Link, useLocation, useRouteContext } from '@tanstack/react-router'
import { CircleHelp, PanelLeftClose, PanelLeftOpen, Search } from 'lucide-react'
import { AccountMenu } from '../account-menu.tsx'
import { OpenItemsButton } from '../open-items-button.tsx'
import { Logo } from '../logo.tsx'
import { itemAt } from './navigation.ts'
import { sectionsFor } from './offered-sections.ts'
import styles from './sidebar.module.css'
import { TenantSwitch } from '../tenant-switch.tsx'
import { ThemeSwitch } from '../theme-switch.tsx'
import { useWaiting } from './use-open-items.ts'
import { Waiting } from '../waiting.tsx'

interface SidebarProps {
  readonly isNarrow: boolean
  readonly isLive: boolean
  readonly onSearch: () => void
  readonly onHelp: () => void
  readonly onNarrow?: () => void
  /** Called when a screen was chosen. */
  readonly onLeave?: () => void
}

export function Sidebar({ isNarrow, isLive, onSearch, onHelp, onNarrow, onLeave }: SidebarProps) {
  const ToggleIcon = isNarrow ? PanelLeftOpen : PanelLeftClose
  return (
    <div className={styles['sidebar']} data-narrow={isNarrow || undefined}>
      <div className={styles['top']}>
        <Logo />
        {onNarrow && (
          <button
            type="button"
            className={styles['tool']}
            onClick={onNarrow}
            aria-label={isNarrow ? 'Widen navigation' : 'Narrow navigation'}
          >
            <ToggleIcon size={16} aria-hidden />
          </button>
        )}
      </div>
      <TenantSwitch isNarrow={isNarrow} />
      <button type="button" className={styles['search']} onClick={onSearch} aria-label="Search Ctrl K">
        <Search size={14} aria-hidden />
        <span className={styles['wide']}>Search</span> <kbd className={styles['wide']}>Ctrl K</kbd>
      </button>
      <NavigationItems onLeave={onLeave} />
      <div className={styles['bottom']}>
        <div className={styles['tools']}>
          <span className={styles['live']} data-live={isLive || undefined} role="status">
            {isLive ? 'Live' : 'Not live'}
          </span>
          <OpenItemsButton className={styles['tool']} onLeave={onLeave} />
          <ThemeSwitch className={styles['tool']} />
          <button type="button" className={styles['tool']} onClick={onHelp} aria-label="Keyboard shortcuts">
            <CircleHelp size={16} aria-hidden />
          </button>
        </div>
        <AccountMenu isNarrow={isNarrow} />
      </div>
    </div>
  )
}

/** An entry leads to the first of its screens. Settings stand apart. */
function NavigationItems({ onLeave }: { readonly onLeave?: (() => void) | undefined }) {
  const { session } = useRouteContext({ from: '/app' })
  const { pathname } = useLocation()
  const current = itemAt(pathname)
  const waiting = useWaiting()
  return (
    <nav className={styles['nav']} aria-label="Main">
      {sectionsFor(session).map(({ title, icon: Icon, isApart, items }) => {
        const isCurrent = items.some((item) => item === current)
        return (
          <Link
            key={title}
            to={items[0]?.to ?? '/'}
            className={styles['item']}
            activeProps={{ className: '' }}
            data-current={isCurrent || undefined}
            data-apart={isApart || undefined}
            aria-current={isCurrent ? 'true' : undefined}
            title={title}
            {...(onLeave && { onClick: onLeave })}
          >
            <Icon size={16} strokeWidth={1.8} aria-hidden />
            <span className={styles['wide']}>{title}</span>
            <Waiting total={items.reduce((sum, { to }) => sum + (waiting.get(to) ?? 0), 0)} />
          </Link>
        )
      })}
    </nav>
  )
}
