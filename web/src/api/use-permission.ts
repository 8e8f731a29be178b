import { useRouteContext } from '@tanstack/react-router'

/**
 * Whether the person's role has a permission: `may('assets:write')`. For display only: the server checks every
 * request.
 */
export function usePermission(): (permission: string) => boolean {
  const { session } = useRouteContext({ from: '/app' })
  return (permission) => session.permissions.includes(permission)
}
