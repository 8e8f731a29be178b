import type { ReactNode } from 'react'
import { useMay } from '#api/use-permission.ts'

/** Shows what starts or prepares scans only to those whose role allows it. */
export function AllowedToScan({ children }: { readonly children: ReactNode }) {
  const may = useMay()
  return may('scans:write') ? children : null
}
