import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { record } from '#features/audit/audit.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { inOrder } from './attempt-order.ts'
import { afterOutcome, afterOutcomeHere, HOSTS_MAX, TIMES_MAX } from './breaker.ts'
import type { Credential, CredentialKind, Outcome } from './credential.ts'
import { openSecrets } from './data-keys.ts'
import type { HostKey } from './host-key.ts'
import { changeOf, knowHostKey, knownAlgorithms } from './host-keys.ts'
import { assembled } from './kinds.ts'
import { openRedactor, type Redactor } from './redactor.ts'
import * as store from './use-store.ts'

/** The scan that credentials are lent to. */
export interface LendingTo {
  readonly scanId: string
  readonly targetId: string | null
  /** Who started it, for the log. */
  readonly startedBy: unknown
  /** Whether it is an address of the scan's target. Others are shown nothing, whatever they are bound to. */
  readonly covers: (address: string) => boolean
}

export interface Lending {
  readonly credentialsFor: (
    address: string,
    kinds: readonly CredentialKind[],
  ) => Promise<readonly Credential[]>
  readonly told: (credential: Credential, address: string, outcome: Outcome) => Promise<void>
  readonly knowHostKey: (host: HostKey) => Promise<'new' | 'same' | 'changed'>
  readonly knownAlgorithms: (address: string, port: number) => Promise<readonly string[]>
  /** Knows every secret that was lent. */
  readonly redactor: Redactor
  /** What the person who started the scan must hear: what was held back, and which host is another than before. */
  readonly warnings: () => readonly string[]
  /** Why there is nothing to show to this address; undefined when there is something. */
  readonly lack: (address: string, kinds: readonly CredentialKind[]) => Promise<string | undefined>
}

/** Over all credentials, for a host and scan. */
const TRIES_MAX = 2
/** A turn that nobody tells the end of is over by then. */
const TRIAL_SECONDS = 60
const TRIAL_LOOK_MS = 200
/** Those whose failures lock the account. */
const LOCKABLE: ReadonlySet<CredentialKind> = new Set(['ssh_password', 'winrm', 'vsphere'])

interface Lent {
  /** By address: the credentials that were shown there. */
  readonly shown: Map<string, Set<string>>
  readonly refused: Set<string>
  readonly logged: Set<string>
  readonly warnings: Set<string>
}

export function openLending(ctx: Ctx, scan: LendingTo): Lending {
  const redactor = openRedactor()
  const lent: Lent = { shown: new Map(), refused: new Set(), logged: new Set(), warnings: new Set() }
  return {
    redactor,
    warnings: () => [...lent.warnings],
    credentialsFor: (address, kinds) => lend(ctx, scan, { address, kinds, lent, redactor }),
    told: (credential, address, outcome) => told(ctx, scan, lent, { id: credential.id, address, outcome }),
    async knowHostKey(host) {
      const answer = await knowHostKey(ctx, host, scan.scanId)
      if (answer === 'changed') lent.warnings.add(await changeOf(ctx, host))
      return answer
    },
    knownAlgorithms: (address, port) => knownAlgorithms(ctx, address, port),
    async lack(address, kinds) {
      const all = isIP(address) ? await store.bound(ctx, { address, kinds, targetId: scan.targetId }) : []
      const [first] = all
      if (!first)
        return `no credential is bound to ${address} that such a scan could show (${kinds.join(', ')})`
      const held = all.map((it) => heldBack(it, address))
      return held.includes(undefined) ? undefined : held.join('; ')
    },
  }
}

interface Asking {
  readonly address: string
  readonly kinds: readonly CredentialKind[]
  readonly lent: Lent
  readonly redactor: Redactor
}

async function lend(
  ctx: Ctx,
  scan: LendingTo,
  { address, kinds, lent, redactor }: Asking,
): Promise<Credential[]> {
  if (isIP(address) === 0 || !scan.covers(address)) return []
  const { targetId } = scan
  const shown = lent.shown.get(address) ?? new Set()
  lent.shown.set(address, shown)
  const credentials: Credential[] = []
  for (const candidate of inOrder(await store.bound(ctx, { address, kinds, targetId }))) {
    const { id } = candidate
    if (lent.refused.has(`${id} ${address}`)) continue
    if (!shown.has(id) && shown.size >= TRIES_MAX) continue
    const mine = await turnOf(ctx, candidate, { address, kinds, targetId })
    const reason = heldBack(mine, address)
    if (reason !== undefined) {
      lent.warnings.add(reason)
      continue
    }
    shown.add(id)
    credentials.push(opened(ctx, mine, redactor))
  }
  return credentials
}

/** Why it is shown to nobody, or not to this address; undefined when it may be. */
function heldBack(it: store.Lendable, address: string): string | undefined {
  if (it.openUntil !== null) return `${it.name} is set aside until ${it.openUntil}: ${it.openReason}`
  if (it.openHereUntil === null) return undefined
  return `${it.name} is not shown to ${address} until ${it.openHereUntil}: it was refused there ${TIMES_MAX} times in a row`
}

/** While nobody knows whether a password is right, one host at a time is asked: many at once would lock the account. */
async function turnOf(
  ctx: Ctx,
  candidate: store.Lendable,
  asked: Parameters<typeof store.bound>[1],
): Promise<store.Lendable> {
  let current = candidate
  while (LOCKABLE.has(current.kind) && !current.isProven && current.openUntil === null) {
    if (await store.takeTrial(ctx, current.id, TRIAL_SECONDS)) return current
    await sleep(TRIAL_LOOK_MS)
    current = (await store.bound(ctx, asked)).find((it) => it.id === candidate.id) ?? current
  }
  return current
}

function opened(ctx: Ctx, lendable: store.Lendable, redactor: Redactor): Credential {
  const { port, ...settings } = lendable.settings
  const secrets = openSecrets(ctx, lendable)
  for (const secret of Object.values(secrets)) redactor.learn(secret)
  const { id, name, kind } = lendable
  return assembled({ id, name, kind, port, settings, secrets })
}

interface Use {
  readonly id: string
  readonly address: string
  readonly outcome: Outcome
}

function told(ctx: Ctx, scan: LendingTo, lent: Lent, use: Use): Promise<void> {
  const { id, address, outcome } = use
  if (outcome === 'refused') lent.refused.add(`${id} ${address}`)
  return atomically(ctx, async (inner) => {
    const all = await store.standing(inner, id)
    const mine = all.find((it) => it.id === id)
    if (!mine) return
    const before = { ...mine, openUntil: mine.openUntil === null ? null : new Date(mine.openUntil) }
    const isOfDirectory = mine.account !== null
    const after = afterOutcome(before, { outcome, address, isOfDirectory }, inner.now())
    const isTripped = after.trips > before.trips
    const reason = after.openUntil === null ? null : reasonOf(after.refusedBy, isOfDirectory)
    await store.noteUse(
      inner,
      all.map((it) => it.id),
      { id, outcome, record: after, reason },
    )
    const hereAfter = afterOutcomeHere(await store.here(inner, id, address), outcome, inner.now())
    await store.noteHere(inner, use, hereAfter)
    const subject = { type: 'credential', id }
    const key = `${id} ${address} ${outcome}`
    if (!lent.logged.has(key)) {
      const { scanId, startedBy } = scan
      await record(inner, 'credential.used', subject, {
        name: mine.name,
        address,
        outcome,
        scanId,
        startedBy,
      })
      lent.logged.add(key)
    }
    if (!isTripped) return
    const until = after.openUntil?.toISOString()
    lent.warnings.add(`${mine.name} is set aside until ${until}: ${reason}`)
    inner.log.warn({ credential: id, until }, `a credential is set aside: ${reason}`)
    await record(inner, 'credential.set_aside', subject, { name: mine.name, until, reason })
  })
}

function reasonOf(refusedBy: readonly string[], isOfDirectory: boolean): string {
  const hosts = [...new Set(refusedBy)].join(', ')
  return isOfDirectory
    ? `its account was refused ${TIMES_MAX} times in a row (${hosts}), and more could lock it; correct the password`
    : `refused by ${HOSTS_MAX} hosts in a row (${hosts}); correct the secret, or let it be tried again`
}
