import { useRouteContext } from '@tanstack/react-router'

/** What the person's role allows, asked by permission: `may('assets:write')`. The server decides; this only shows it. */
export function usePermission(): (permission: string) => boolean {
  const { session } = useRouteContext({ from: '/app' })
  return (permission) => session.permissions.includes(permission)
}
