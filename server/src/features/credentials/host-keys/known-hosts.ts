import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import {
  meansHost,
  readKnownHosts,
  type KnownHost,
  type ReadKnownHosts,
  type StoredKnownHost,
} from './known-hosts-file.ts'
import * as store from './known-hosts-store.ts'

export interface KnownHostsImport extends Pick<ReadKnownHosts, 'rejected'> {
  /** Lines that were not there before. */
  readonly added: number
  /** Lines that were read. */
  readonly read: number
}

/** The most entries of a tenant: each is looked at when a host is met for the first time. */
const ENTRIES_MAX = 20_000
const TEXT_LENGTH_MAX = 1_000_000

/** Takes in a file of OpenSSH's known_hosts, or single lines of one. Hosts that are known already are not touched. */
export async function importKnownHosts(ctx: Ctx, text: string): Promise<KnownHostsImport> {
  permit(ctx, 'credentials:write')
  if (text.length > TEXT_LENGTH_MAX)
    throw invalid('knownHosts', `has more than ${TEXT_LENGTH_MAX} characters`)
  const { entries, rejected } = readKnownHosts(text)
  const [first] = rejected
  if (entries.length === 0)
    throw invalid('knownHosts', first ? `line ${first.line} ${first.reason}` : 'holds no host')
  return atomically(ctx, async (inner) => {
    if ((await store.count(inner)) + entries.length > ENTRIES_MAX)
      throw conflict(`knownHosts: at most ${ENTRIES_MAX} lines are kept; delete others first`)
    const added = await store.add(
      inner,
      entries.map((it) => ({ ...it, id: newUuid(inner.now()) })),
    )
    const details = { read: entries.length, added, rejected: rejected.length }
    await record(inner, 'known_hosts.imported', { type: 'tenant', id: ctx.tenantId }, details)
    return { added, read: entries.length, rejected }
  })
}

/** The newest first. */
export async function listKnownHosts(ctx: Ctx, page: Page): Promise<Listed<StoredKnownHost>> {
  permit(ctx, 'credentials:read')
  return store.page(ctx, page)
}

/** Host keys that were pinned because of the line stay. */
export async function deleteKnownHost(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'credentials:write')
  await atomically(ctx, async (inner) => {
    const removed = isUuid(id) ? await store.remove(inner, id) : undefined
    if (!removed) throw notFound('known host')
    const { hosts, algorithm, fingerprint } = removed
    await record(inner, 'known_host.deleted', { type: 'known_host', id }, { hosts, algorithm, fingerprint })
  })
}

/** The lines that mean this service, revoked ones too. */
export async function linesFor(ctx: Ctx, names: readonly string[], port: number): Promise<KnownHost[]> {
  return (await store.all(ctx)).filter(({ hosts }) => meansHost(hosts, names, port))
}
