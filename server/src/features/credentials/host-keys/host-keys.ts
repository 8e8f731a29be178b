import { type PinnedKey, type HostKeyTrust } from './host-key.ts'
import { isIP } from 'node:net'
import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import * as store from './host-key-store.ts'
import type { HostKey, HostKeyVerdict } from './host-key.ts'
import { linesFor } from './known-hosts.ts'

/** What meets a host. */
export interface Meeting {
  readonly scanId: string
  /** What people call the host besides its address, for known_hosts. */
  readonly names: readonly string[]
  /** The key of an unknown host waits for a person's approval instead of being trusted on first use. */
  readonly isToAsk: boolean
}

/**
 * Pins the first key of a host's service. Any other key after that is a change, one of another algorithm too: else
 * whoever stands in a host's place would only have to offer one that it has not shown yet.
 */
export function knowHostKey(ctx: Ctx, host: HostKey, meeting: Meeting): Promise<HostKeyVerdict> {
  return atomically(ctx, async (inner) => {
    const before = await store.ofService(inner, host)
    if (before.some((it) => it.trust === 'refused' && isSame(it, host))) return 'refused'
    const known = before.filter((it) => it.trust === 'known')
    if (known.length > 0) return judge(inner, host, known, meeting.scanId)
    const preloaded = await preloadedFor(inner, host, meeting)
    if (preloaded.some((it) => it.isRevoked && isSame(it, host))) return 'refused'
    // of several of one algorithm the one that it shows, if it is among them
    const valid = preloaded
      .filter((it) => !it.isRevoked)
      .toSorted((a, b) => Number(isSame(b, host)) - Number(isSame(a, host)))
    if (valid.length > 0) {
      for (const { algorithm, fingerprint } of valid)
        await pin(inner, { ...host, algorithm, fingerprint }, { scanId: meeting.scanId, from: 'known_hosts' })
      return judge(inner, host, await knownOf(inner, host), meeting.scanId)
    }
    if (meeting.isToAsk) return ask(inner, host, meeting.scanId)
    await pin(inner, host, { scanId: meeting.scanId })
    return 'new'
  })
}

const isSame = (a: Omit<HostKey, 'address' | 'port'>, b: HostKey): boolean =>
  a.algorithm === b.algorithm && a.fingerprint === b.fingerprint

const knownOf = async (ctx: Ctx, host: HostKey): Promise<PinnedKey[]> =>
  (await store.ofService(ctx, host)).filter((it) => it.trust === 'known')

/** A certificate of TLS stands in no known_hosts. */
const preloadedFor = (ctx: Ctx, { address, port, algorithm }: HostKey, { names }: Meeting) =>
  algorithm === 'tls' ? Promise.resolve([]) : linesFor(ctx, [address, ...names], port)

async function judge(
  ctx: Ctx,
  host: HostKey,
  known: readonly PinnedKey[],
  scanId: string,
): Promise<HostKeyVerdict> {
  const same = known.find((it) => isSame(it, host))
  if (same) {
    await store.seen(ctx, same.id)
    return 'same'
  }
  const other = known.find((it) => it.algorithm === host.algorithm) ?? known[0]
  if (!other) return 'changed'
  const { id, algorithm, fingerprint } = other
  if (await store.offer(ctx, id, host))
    await record(ctx, 'host_key.changed', subjectOf(id), {
      ...host,
      pinned: { algorithm, fingerprint },
      scanId,
    })
  return 'changed'
}

/** Called once for each host key that a scan meets. */
async function ask(ctx: Ctx, host: HostKey, scanId: string): Promise<HostKeyVerdict> {
  const id = newUuid(ctx.now())
  const waiting = await store.put(ctx, { ...host, id, trust: 'waiting', scanId })
  if (waiting.isNews) await record(ctx, 'host_key.waiting', subjectOf(waiting.id), { ...host, scanId })
  return 'unknown'
}

async function pin(ctx: Ctx, host: HostKey, details: object): Promise<void> {
  const { id } = await store.put(ctx, { ...host, id: newUuid(ctx.now()), trust: 'known', scanId: null })
  await record(ctx, 'host_key.pinned', subjectOf(id), { ...host, ...details })
}

/** Those to ask the host for first. */
export async function knownAlgorithms(
  ctx: Ctx,
  { address, port }: Pick<HostKey, 'address' | 'port'>,
  names: readonly string[] = [],
): Promise<readonly string[]> {
  const pinned = await store.knownOfPort(ctx, address, port)
  if (pinned.length > 0) return pinned.map((it) => it.algorithm)
  const lines = await linesFor(ctx, [address, ...names], port)
  return [...new Set(lines.filter((it) => !it.isRevoked).map((it) => it.algorithm))].toSorted()
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

/** In words, with what to do, once `knowHostKey` said that nobody knows it. */
export async function questionOf(ctx: Ctx, host: HostKey): Promise<string> {
  const waiting = (await store.ofService(ctx, host)).find((it) => isSame(it, host))
  return (
    `the host ${host.address} port ${host.port} is not known; it shows the ${host.algorithm} key ${host.fingerprint}. ` +
    `If that is right, approve it (rollcall hostkey approve ${waiting?.id} ${host.fingerprint}) and scan again`
  )
}

/** Those that wait for a person first, then those that changed, the latest of them at the top. */
export async function listHostKeys(ctx: Ctx, page: Page, trust?: HostKeyTrust): Promise<Listed<PinnedKey>> {
  permit(ctx, 'credentials:read')
  return store.hostKeys(ctx, page, trust)
}

/**
 * The key that a host showed is its own, as a person found out. `fingerprint` is the one that they looked at: the host
 * may have shown another since.
 */
export async function approveHostKey(ctx: Ctx, id: string, fingerprint: string): Promise<PinnedKey> {
  permit(ctx, 'credentials:write')
  return atomically(ctx, async (inner) => {
    const before = await keyOf(inner, id)
    if (before.trust === 'known') throw conflict('the host key is known already')
    if (before.fingerprint !== fingerprint.trim())
      throw conflict(
        `fingerprint: the key of the host is ${before.fingerprint}, not the one that you approve`,
      )
    await store.trust(inner, before, 'known')
    const { address, port, algorithm } = before
    await record(inner, 'host_key.approved', subjectOf(id), { address, port, algorithm, fingerprint })
    return keyOf(inner, id)
  })
}

/** Rejects a waiting host key: nothing secret is sent to a server that presents it. */
export async function refuseHostKey(ctx: Ctx, id: string): Promise<PinnedKey> {
  permit(ctx, 'credentials:write')
  return atomically(ctx, async (inner) => {
    const before = await keyOf(inner, id)
    if (before.trust !== 'waiting') throw conflict('the host key does not wait for an answer')
    await store.trust(inner, before, 'refused')
    const { address, port, algorithm, fingerprint } = before
    await record(inner, 'host_key.refused', subjectOf(id), { address, port, algorithm, fingerprint })
    return keyOf(inner, id)
  })
}

/** One key, known before any scan meets the host: of SSH, or with the algorithm `tls` a certificate. */
export async function addHostKey(ctx: Ctx, given: HostKey): Promise<PinnedKey> {
  permit(ctx, 'credentials:write')
  const host = checkedHostKey(given)
  return atomically(ctx, async (inner) => {
    const known = await knownOf(inner, host)
    if (known.some((it) => it.algorithm === host.algorithm))
      throw conflict('the host has a key of this algorithm already; forget that first')
    const { id } = await store.put(inner, { ...host, id: newUuid(inner.now()), trust: 'known', scanId: null })
    await record(inner, 'host_key.added', subjectOf(id), { ...host })
    return keyOf(inner, id)
  })
}

const ALGORITHM = /^[A-Za-z0-9@.-]{1,64}$/
const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}$/

function checkedHostKey({ address, port, algorithm, fingerprint }: HostKey): HostKey {
  if (isIP(address) === 0 || address.includes('%')) throw invalid('address', 'must be an IP address')
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw invalid('port', 'must be 1 to 65535')
  if (!ALGORITHM.test(algorithm)) throw invalid('algorithm', 'must be such as ssh-ed25519, or tls')
  if (!FINGERPRINT.test(fingerprint))
    throw invalid('fingerprint', 'must be SHA256: and 43 characters, as ssh-keygen -l prints it')
  return { address, port, algorithm, fingerprint }
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

/** Deletes a known host key; the next key that the host presents is treated as that of an unknown host. */
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
