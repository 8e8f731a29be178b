import type { Config } from '../config.ts'
import { openInstallation } from '../startup/installation.ts'
import { listTenants } from '#features/tenancy/tenancy.ts'
import { movesMade } from '#platform/cells/moving/move-store.ts'
import type { CommandResult } from '#platform/cli/command.ts'
import { conflict, invalid } from '#platform/errors.ts'
import { openLog } from '#platform/observability/log.ts'

const formats = ['haproxy', 'nginx'] as const

/** Of each tenant here, and of those that went from here, by which cell a proxy finds it under its host name. */
export async function cellMap(config: Config, domain: string, format: string): Promise<CommandResult> {
  if (!/^[a-z0-9.-]+$/.test(domain))
    throw invalid('domain', 'must be a domain name, such as rollcall.example.org')
  if (!formats.some((it) => it === format)) throw invalid('format', `must be one of ${formats.join(', ')}`)
  const { cell } = config
  if (cell === undefined) throw conflict('CELL is missing: this is the only installation')
  const { runtime, close } = await openInstallation(config, openLog(config.logLevel))
  try {
    const [here, gone] = [await listTenants(runtime.system), await movesMade(runtime.system)]
    const slugs = new Map(gone.map((it) => [it.slug, it.cell]))
    for (const { slug } of here) slugs.set(slug, cell)
    const entries = [...slugs].map(([slug, of]) => ({ host: `${slug}.${domain}`, cell: of }))
    const end = format === 'nginx' ? ';' : ''
    return { json: entries, text: entries.map((it) => `${it.host} cell${it.cell}${end}`).join('\n') }
  } finally {
    await close()
  }
}
