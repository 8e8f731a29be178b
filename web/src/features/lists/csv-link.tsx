import { Button } from '@mantine/core'
import { Download } from 'lucide-react'
import { inTenant } from '#api/tenant-url.ts'
import type { ListSearch } from './list-search.ts'
import { variablesOf } from './use-list-rows.ts'

interface CsvLinkProps {
  /** Below the address of the organisation. */
  readonly href: string
  readonly title: string
}

/** Downloads a list. */
export function CsvLink({ href, title }: CsvLinkProps) {
  return (
    <Button
      variant="default"
      component="a"
      href={inTenant(href)}
      leftSection={<Download size={14} aria-hidden />}
      title={title}
    >
      Export CSV
    </Button>
  )
}

/** URL of the rows that the list has, in its order, as a file of the server. */
export function listFileUrl(file: string, search: ListSearch): string {
  const { where, sort } = variablesOf(search)
  return `/files/${file}?${new URLSearchParams({ ...(where && { where }), ...(sort && { sort }) }).toString()}`
}
