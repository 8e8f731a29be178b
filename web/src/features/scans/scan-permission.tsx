import type { ReactNode } from 'react'
import { usePermission } from '#api/use-permission.ts'

/** Renders its children only with the permission to scan. */
export function AllowedToScan({ children }: { readonly children: ReactNode }) {
  const may = usePermission()
  return may('scans:write') ? children : null
}
