import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, type RefObject } from 'react'

/** Moves the focus to the content when the screen changes, so that it is read out and Tab goes on from there. */
export function useFocusAfterNavigation(content: RefObject<HTMLElement | null>): void {
  const { pathname, href } = useLocation()
  const last = useRef({ pathname, href })
  useEffect(() => {
    const before = last.current
    last.current = { pathname, href }
    if (before.href === href) return
    // what is narrowed by a link of its own list takes that link away
    const isLost = document.activeElement === document.body
    if (before.pathname === pathname && !isLost) return
    if (!content.current?.contains(document.activeElement)) content.current?.focus({ preventScroll: true })
  }, [pathname, href, content])
}
