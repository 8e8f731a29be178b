import type { ReactNode } from 'react'
import { usePermission } from '#api/use-permission.ts'

/** Shows what starts or prepares scans only to those whose role allows it. */
export function AllowedToScan({ children }: { readonly children: ReactNode }) {
  const may = usePermission()
  return may('scans:write') ? children : null
}
