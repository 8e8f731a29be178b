import { Link, useLocation, useRouteContext } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { isAt } from './navigation.ts'
import { sectionsFor } from './offered-sections.ts'
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
    // what waits is known later, and moves the tabs behind it
  }, [pathname, waiting.size])
  const section = sectionsFor(session).find(({ items }) => items.some((item) => isAt(item, pathname)))
  if (!section || section.items.length < 2) return null
  return (
    <nav ref={tabs} className={styles['tabs']} aria-label={`${section.title}: screens`}>
      {section.items.map((item) => (
        <Link
          key={item.to}
          to={item.to}
          activeOptions={{ exact: true, includeSearch: false }}
          className={styles['tab']}
          {...(isAt(item, pathname) && { 'aria-current': 'page', 'data-status': 'active' })}
        >
          {item.title} <Waiting total={waiting.get(item.to) ?? 0} />
        </Link>
      ))}
    </nav>
  )
}
