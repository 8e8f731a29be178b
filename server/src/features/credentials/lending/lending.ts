import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '#platform/context.ts'
import { inOrder } from './attempt-order.ts'
import { TIMES_MAX } from './circuit-breaker.ts'
import type { Credential, CredentialKind, Outcome } from '../credential.ts'
import { isSealed, type LentCredential } from '../encryption/collector-secret.ts'
import { openSecrets } from '../encryption/data-keys.ts'
import type { HostKey, HostKeyVerdict } from '../host-keys/host-key.ts'
import { changeOf, knowHostKey, knownAlgorithms, questionOf } from '../host-keys/host-keys.ts'
import { assembled } from '../credential-kinds.ts'
import { noteOutcome } from './login-outcome.ts'
import { openRedactor, type Redactor } from './secret-redaction.ts'
import * as store from './credential-use-store.ts'

/** The scan that credentials are lent to. */
export interface LendingTo {
  readonly scanId: string
  readonly targetId: string | null
  /** Who started it, for the log. */
  readonly startedBy: unknown
  /** Whether it is an address of the scan's target. No credential is sent to others, whatever its bindings. */
  readonly covers: (address: string) => boolean
  /** What people call the host of an address, for known_hosts. */
  readonly namesOf?: (address: string) => readonly string[]
  readonly signal?: AbortSignal
}

export interface Lending {
  readonly credentialsFor: (
    address: string,
    kinds: readonly CredentialKind[],
  ) => Promise<readonly Credential[]>
  /** The same for a collector that shows them in place of the server: also those that it alone can open. */
  readonly credentialsForCollector: (
    collectorId: string,
    address: string,
    kinds: readonly CredentialKind[],
  ) => Promise<readonly LentCredential[]>
  readonly recordOutcome: (
    credential: Pick<Credential, 'id' | 'name'>,
    address: string,
    outcome: Outcome,
  ) => Promise<void>
  /** `credential` is what would be sent to the host next: it says whether a person is asked about a host that nobody knows. */
  readonly knowHostKey: (host: HostKey, credential: Pick<Credential, 'id'>) => Promise<HostKeyVerdict>
  readonly knownAlgorithms: (address: string, port: number) => Promise<readonly string[]>
  /** Knows every secret that was lent. */
  readonly redactor: Redactor
  /** Warnings for the person who started the scan: credentials set aside, host keys that have changed. */
  readonly warnings: () => readonly string[]
  /** At the end of the scan: releases its locks on credentials. */
  readonly close: () => Promise<void>
  /** How many of the credentials for this address each of these collectors could show; without those that could show none. */
  readonly shownBy: (
    address: string,
    kinds: readonly CredentialKind[],
    collectorIds: readonly string[],
  ) => Promise<ReadonlyMap<string, number>>
  /** Why there is nothing to show to this address; undefined when there is something. */
  readonly lack: (
    address: string,
    kinds: readonly CredentialKind[],
    collectorIds?: readonly string[],
  ) => Promise<string | undefined>
}

const ADD = 'add one under Credentials, or with rollcall credential create'
/** Over all credentials, for a host and scan. */
const TRIES_MAX = 2
/** A lock without a recorded outcome expires after this time. */
const TRIAL_SECONDS = 60
const TRIAL_LOOK_MS = 200
/** Those whose failures lock the account. */
const LOCKABLE: ReadonlySet<CredentialKind> = new Set(['ssh_password', 'winrm', 'vsphere'])

interface Lent {
  /** By address: the credentials that were sent there. */
  readonly shown: Map<string, Set<string>>
  readonly refused: Set<string>
  readonly logged: Set<string>
  /** Ids of those lent that ask a person before they go to a host that nobody knows. */
  readonly asking: Set<string>
  readonly warnings: Set<string>
}

export function openLending(ctx: Ctx, scan: LendingTo): Lending {
  const redactor = openRedactor()
  const lent: Lent = {
    shown: new Map(),
    refused: new Set(),
    logged: new Set(),
    asking: new Set(),
    warnings: new Set(),
  }
  return {
    redactor,
    warnings: () => [...lent.warnings],
    async credentialsFor(address, kinds) {
      const found = await lend(ctx, scan, { address, kinds, collectorIds: [], lent, redactor })
      return found.filter((it): it is Credential => !isSealed(it))
    },
    credentialsForCollector: (collectorId, address, kinds) =>
      lend(ctx, scan, { address, kinds, collectorIds: [collectorId], lent, redactor }),
    async recordOutcome({ id }, address, outcome) {
      if (outcome === 'refused') lent.refused.add(`${id} ${address}`)
      const key = `${id} ${address} ${outcome}`
      const isNews = !lent.logged.has(key)
      lent.logged.add(key)
      const holder = holderOf(scan.scanId, address)
      const warning = await noteOutcome(ctx, scan, { id, address, outcome, holder, isNews })
      if (warning !== undefined) lent.warnings.add(warning)
    },
    async knowHostKey(host, credential) {
      const isToAsk = lent.asking.has(credential.id)
      const names = scan.namesOf?.(host.address) ?? []
      const answer = await knowHostKey(ctx, host, { scanId: scan.scanId, names, isToAsk })
      if (answer === 'changed') lent.warnings.add(await changeOf(ctx, host))
      if (answer === 'unknown') lent.warnings.add(await questionOf(ctx, host))
      return answer
    },
    close: () => store.endTrials(ctx, scan.scanId),
    knownAlgorithms: (address, port) =>
      knownAlgorithms(ctx, { address, port }, scan.namesOf?.(address) ?? []),
    shownBy: (address, kinds, collectorIds) =>
      shownBy(ctx, { address, kinds, targetId: scan.targetId, collectorIds }),
    async lack(address, kinds, collectorIds = []) {
      return (await offeredAt(ctx, { address, kinds, targetId: scan.targetId, collectorIds })).lack
    },
  }
}

/** Nothing is lent. `lack`: as `Lending.lack` says it. */
export async function offeredAt(
  ctx: Ctx,
  asked: Parameters<typeof store.bound>[1],
): Promise<{ readonly lack: string | undefined; readonly ports: readonly number[] }> {
  const { address, kinds } = asked
  const all = isIP(address) ? await store.bound(ctx, asked) : []
  const ports = all.flatMap(({ settings }) => settings.port ?? [])
  if (all.length === 0) {
    const lack = `no credential is bound to ${address} that such a scan could show (${kinds.join(', ')}); ${ADD}`
    return { ports, lack }
  }
  const held = all.map((it) => heldBack(it, address))
  return { ports, lack: held.includes(undefined) ? undefined : held.join('; ') }
}

/** What the server can open is lent to any collector; of the rest each has copies of its own. */
async function shownBy(
  ctx: Ctx,
  asked: Parameters<typeof store.bound>[1],
): Promise<ReadonlyMap<string, number>> {
  const all = isIP(asked.address) ? await store.bound(ctx, asked) : []
  const usable = all.filter((it) => heldBack(it, asked.address) === undefined)
  const copies = await store.copiesOf(
    ctx,
    usable.filter(({ sealed }) => !sealed).map(({ id }) => id),
  )
  const ofAny = usable.filter(({ sealed }) => sealed).length
  const counted = asked.collectorIds.map(
    (id) => [id, ofAny + copies.filter(({ collectorId }) => collectorId === id).length] as const,
  )
  return new Map(counted.filter(([, count]) => count > 0))
}

interface Asking {
  readonly address: string
  readonly kinds: readonly CredentialKind[]
  readonly collectorIds: readonly string[]
  readonly lent: Lent
  readonly redactor: Redactor
}

async function lend(
  ctx: Ctx,
  scan: LendingTo,
  { address, kinds, collectorIds, lent, redactor }: Asking,
): Promise<LentCredential[]> {
  if (isIP(address) === 0 || !scan.covers(address)) return []
  const asked = { address, kinds, targetId: scan.targetId, collectorIds }
  const shown = lent.shown.get(address) ?? new Set()
  lent.shown.set(address, shown)
  const free: store.Lendable[] = []
  for (const candidate of inOrder(await store.bound(ctx, asked))) {
    const reason = heldBack(candidate, address)
    if (reason !== undefined) lent.warnings.add(reason)
    const isOver = !shown.has(candidate.id) && shown.size >= TRIES_MAX
    if (reason !== undefined || isOver || lent.refused.has(`${candidate.id} ${address}`)) continue
    shown.add(candidate.id)
    if (candidate.asksOnUnknownHost) lent.asking.add(candidate.id)
    free.push(candidate)
  }
  const mine = new Map<string, store.Lendable>()
  // in the same order everywhere, or two could wait for each other
  for (const candidate of free.toSorted((a, b) => a.id.localeCompare(b.id)))
    mine.set(candidate.id, await turnOf(ctx, scan, candidate, asked))
  return free.flatMap(({ id }) => {
    const current = mine.get(id)
    const reason = current && heldBack(current, address)
    if (reason !== undefined) lent.warnings.add(reason)
    return current && reason === undefined ? [opened(ctx, current, redactor)] : []
  })
}

/** Why it may not be used, or not at this address, and what to do; undefined when it may. */
function heldBack(it: store.Lendable, address: string): string | undefined {
  if (!it.sealed && it.encrypted === null) return notOpened(it)
  const remedy = `correct it, or let it be tried again (rollcall credential reset ${it.id})`
  if (it.openUntil !== null)
    return `${it.name} is set aside until ${it.openUntil}: ${it.openReason}; ${remedy}`
  if (it.openHereUntil === null) return undefined
  return `${it.name} is not shown to ${address} until ${it.openHereUntil}: it was refused there ${TIMES_MAX} times in a row; ${remedy}`
}

const notOpened = ({ name, openers }: store.Lendable): string =>
  openers.length === 0
    ? `the collectors that could open ${name} are gone; enter its secret anew`
    : `${name} can be opened by ${openers.join(' and ')} alone, which does not scan here`

/** While nobody knows whether a password is right, one host at a time is asked: many at once would lock the account. */
async function turnOf(
  ctx: Ctx,
  { scanId, signal }: LendingTo,
  candidate: store.Lendable,
  asked: Parameters<typeof store.bound>[1],
): Promise<store.Lendable> {
  let current = candidate
  while (LOCKABLE.has(current.kind) && !current.isProven && current.openUntil === null) {
    if (await store.takeTrial(ctx, current.id, holderOf(scanId, asked.address), TRIAL_SECONDS)) {
      return (await store.bound(ctx, asked)).find((it) => it.id === candidate.id) ?? current
    }
    await sleep(TRIAL_LOOK_MS, undefined, { signal })
    current = (await store.bound(ctx, asked)).find((it) => it.id === candidate.id) ?? current
  }
  return current
}

const holderOf = (scanId: string, address: string): string => `${scanId} ${address}`

function opened(ctx: Ctx, lendable: store.Lendable, redactor: Redactor): LentCredential {
  const { id, name, kind, sealed, encrypted } = lendable
  const { port, ...settings } = lendable.settings
  if (!sealed)
    return { id, name, kind, ...(port !== undefined && { port }), settings, encrypted: encrypted ?? '' }
  const secrets = openSecrets(ctx, { id, ...sealed })
  for (const secret of Object.values(secrets)) redactor.learn(secret)
  return assembled({ id, name, kind, port, settings, secrets })
}
