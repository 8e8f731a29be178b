import { Link, useLocation, useRouteContext } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { sectionsFor } from './navigation.ts'
import styles from './section-tabs.module.css'
import { useWaiting } from './use-open-items.ts'
import { Waiting } from '../waiting.tsx'

/** The screens that belong to the entry of the navigation; not above the pages of single things. */
export function SectionTabs() {
  const { session } = useRouteContext({ from: '/app' })
  const { pathname } = useLocation()
  const waiting = useWaiting()
  const tabs = useRef<HTMLElement>(null)
  useEffect(() => {
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname])
  const section = sectionsFor(session).find(({ items }) => items.some(({ to }) => to === pathname))
  if (!section || section.items.length < 2) return null
  return (
    <nav ref={tabs} className={styles['tabs']} aria-label={`${section.title}: screens`}>
      {section.items.map(({ to, title }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true, includeSearch: false }}
          className={styles['tab']}
        >
          {title} <Waiting total={waiting.get(to) ?? 0} />
        </Link>
      ))}
    </nav>
  )
}
