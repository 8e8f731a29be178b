import { ActionIcon, Drawer } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { Menu, Search } from 'lucide-react'
import { useRef, useState } from 'react'
import { useLiveUpdates } from '#api/live-updates.ts'
import { ChangeInProgress } from './change-in-progress.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import styles from './app-layout.module.css'
import { OpenItemsButton } from './open-items-button.tsx'
import { LimitedOutlet } from './limited-outlet.tsx'
import { Logo } from './logo.tsx'
import { SectionTabs } from './navigation/section-tabs.tsx'
import { Sidebar } from './navigation/sidebar.tsx'
import { LaterOverlays } from './later-overlays.tsx'
import { useFocusAfterNavigation } from './use-focus-after-navigation.ts'
import { useKeyboardShortcuts } from './keyboard-shortcuts.ts'

/** Read before the first paint, to avoid layout shift; first-paint.js reads the same key. */
const NARROW = { key: 'rollcall-sidebar-narrow', defaultValue: false, getInitialValueInEffect: false }

/** The layout of every screen after sign-in: sidebar, account menu, command palette and keyboard shortcuts. */
export function AppLayout() {
  const [isNarrow, setNarrow] = useLocalStorage(NARROW)
  const [isDrawerOpen, drawer] = useDisclosure(false)
  const [open, setOpen] = useState<'palette' | 'help'>()
  const content = useRef<HTMLElement>(null)
  const connection = useLiveUpdates()
  const close = () => setOpen(undefined)
  const show = (overlay: 'palette' | 'help') => {
    drawer.close()
    setOpen(overlay)
  }
  useKeyboardShortcuts({ onPalette: () => show('palette'), onHelp: () => show('help') })
  useFocusAfterNavigation(content)
  const sidebar = { isLive: connection.isLive, onSearch: () => show('palette'), onHelp: () => show('help') }
  return (
    <div className={styles['frame']} data-narrow={isNarrow || undefined}>
      <a className={styles['skip']} href="#content">
        Skip to content
      </a>
      <Bar onNavigation={drawer.open} onSearch={sidebar.onSearch} />
      <aside className={styles['side']}>
        <Sidebar {...sidebar} isNarrow={isNarrow} onNarrow={() => setNarrow(!isNarrow)} />
      </aside>
      <Drawer opened={isDrawerOpen} onClose={drawer.close} size={268} withCloseButton={false} padding={0}>
        <Sidebar {...sidebar} isNarrow={false} onLeave={drawer.close} />
      </Drawer>
      <main id="content" ref={content} className={styles['content']} tabIndex={-1}>
        <SectionTabs />
        <LimitedOutlet />
      </main>
      <ChangeInProgress />
      <ConnectionNotice {...connection} />
      <LaterOverlays open={open} onClose={close} />
    </div>
  )
}

interface BarProps {
  readonly onNavigation: () => void
  readonly onSearch: () => void
}

/** On narrow screens, in place of the sidebar. */
function Bar({ onNavigation, onSearch }: BarProps) {
  return (
    <header className={styles['bar']}>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Open navigation" onClick={onNavigation}>
        <Menu size={18} aria-hidden />
      </ActionIcon>
      <Logo />
      <OpenItemsButton className={styles['tool']} />
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Search" onClick={onSearch}>
        <Search size={17} aria-hidden />
      </ActionIcon>
    </header>
  )
}
