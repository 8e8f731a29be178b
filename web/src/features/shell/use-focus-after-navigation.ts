import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, type RefObject } from 'react'

/** Moves the focus to the content when the screen changes, so that it is read out and Tab goes on from there. */
export function useFocusAfterNavigation(content: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    if (!content.current?.contains(document.activeElement)) content.current?.focus({ preventScroll: true })
  }, [pathname, content])
}
