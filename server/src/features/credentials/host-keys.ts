import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/list.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import * as store from './host-key-store.ts'
import type { HostKey } from './host-key.ts'

/** A key that a host is known by. */
export interface PinnedKey extends HostKey {
  readonly id: string
  readonly firstSeenAt: string
  readonly lastSeenAt: string
  /** What the host showed instead, and was refused for; null when it always showed its key. */
  readonly offeredAlgorithm: string | null
  readonly offeredFingerprint: string | null
  readonly offeredAt: string | null
}

/**
 * Pins the first key of a host's service. Any other key after that is a change, one of another algorithm too: else
 * whoever stands in a host's place would only have to offer one that it has not shown yet.
 */
export function knowHostKey(ctx: Ctx, host: HostKey, scanId: string): Promise<'new' | 'same' | 'changed'> {
  return atomically(ctx, async (inner) => {
    const pinned = await store.ofService(inner, host)
    const [first] = pinned
    if (!first) return pinFirst(inner, host, scanId)
    const same = pinned.find((it) => it.algorithm === host.algorithm && it.fingerprint === host.fingerprint)
    if (same) {
      await store.seen(inner, same.id)
      return 'same'
    }
    const { id, algorithm, fingerprint } = pinned.find((it) => it.algorithm === host.algorithm) ?? first
    const isNews = await store.offer(inner, id, host)
    if (isNews)
      await record(inner, 'host_key.changed', subjectOf(id), {
        ...host,
        pinned: { algorithm, fingerprint },
        scanId,
      })
    return 'changed'
  })
}

async function pinFirst(ctx: Ctx, host: HostKey, scanId: string): Promise<'new' | 'same' | 'changed'> {
  const id = newUuid(ctx.now())
  if (!(await store.pin(ctx, id, host))) return knowHostKey(ctx, host, scanId)
  await record(ctx, 'host_key.pinned', subjectOf(id), { ...host, scanId })
  return 'new'
}

/** Those to ask the host for first. */
export async function knownAlgorithms(ctx: Ctx, address: string, port: number): Promise<readonly string[]> {
  return (await store.ofPort(ctx, address, port)).map((it) => it.algorithm)
}

/** In words, with what to do, once `knowHostKey` said that it has changed. */
export async function changeOf(
  ctx: Ctx,
  { address, port, algorithm, fingerprint }: HostKey,
): Promise<string> {
  const pinned = (await store.ofService(ctx, { address, port, algorithm })).find(
    (it) => it.offeredFingerprint === fingerprint,
  )
  return (
    `known for ${address} port ${port} is ${pinned?.algorithm} ${pinned?.fingerprint}, shown was ${algorithm} ` +
    `${fingerprint}; if the new one is right, accept it (rollcall hostkey accept ${pinned?.id})`
  )
}

/** Those that changed first, the latest of them at the top. */
export async function listHostKeys(ctx: Ctx, page: Page): Promise<Listed<PinnedKey>> {
  permit(ctx, 'credentials:read')
  return store.hostKeys(ctx, page)
}

/** The key that the host showed instead is right. */
export async function acceptHostKey(ctx: Ctx, id: string): Promise<PinnedKey> {
  permit(ctx, 'credentials:write')
  return atomically(ctx, async (inner) => {
    const before = await keyOf(inner, id)
    if (before.offeredFingerprint === null) throw conflict('the host has shown no other key')
    await store.accept(inner, before)
    const { address, port, fingerprint, offeredFingerprint } = before
    await record(inner, 'host_key.accepted', subjectOf(id), {
      address,
      port,
      before: fingerprint,
      after: offeredFingerprint,
    })
    return keyOf(inner, id)
  })
}

/** What the host shows next is its key. */
export async function forgetHostKey(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'credentials:write')
  await atomically(ctx, async (inner) => {
    const { address, port, algorithm, fingerprint } = await keyOf(inner, id)
    await store.forget(inner, id)
    await record(inner, 'host_key.forgotten', subjectOf(id), { address, port, algorithm, fingerprint })
  })
}

async function keyOf(ctx: Ctx, id: string): Promise<PinnedKey> {
  const found = isUuid(id) ? await store.hostKey(ctx, id) : undefined
  if (!found) throw notFound('host key')
  return found
}

const subjectOf = (id: string) => ({ type: 'host_key', id })
