/** Credentials: the secrets with which scans log in to hosts, write-only, and the known keys of those hosts. */
import { type CredentialInfo } from './credential-info.ts'
import { difference, record } from '#features/audit/audit.ts'
import { checkedName } from '#platform/validation/checked-name.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { checkedBindings, reachesFurther, type Bindings } from './credential-bindings.ts'
import { checkedAsking, checkedPort, settingsAfter } from './credential-settings.ts'
import type { CredentialKind } from './credential.ts'
import { keepCopies, openedOnlyBy, replaceCopies, writtenSecret } from './encryption/write-secret.ts'
import { offeredAt, openLending, type Lending, type LendingTo } from './lending/lending.ts'
import { accountOf, canAsk, credentialKinds, hasSecret, parted, type Values } from './credential-kinds.ts'
import * as store from './store.ts'

export { secretsOf } from './credential-kinds.ts'
export { openedCredential } from './encryption/collector-secret.ts'
export { openRedactor } from './lending/secret-redaction.ts'
export { addHostKey, knowHostKey, listHostKeys } from './host-keys/host-keys.ts'

export interface NewCredential extends Bindings {
  readonly name: string
  readonly kind: string
  readonly port?: number | null
  /** Absent: whenever its kind can ask. */
  readonly asksOnUnknownHost?: boolean
  /** Those that alone can open the secret, for networks alone; absent or none: the server can. */
  readonly collectorIds?: readonly string[]
  readonly values: Values
}

/** What is absent stays; of the secrets all are replaced or none. */
export type CredentialChanges = Partial<Omit<NewCredential, 'kind'>>

const NAME_LENGTH_MAX = 200

export async function createCredential(ctx: Ctx, input: NewCredential): Promise<CredentialInfo> {
  permit(ctx, 'credentials:write')
  const name = checkedName('name', input.name, NAME_LENGTH_MAX)
  const kind = credentialKinds.find((known) => known === input.kind)
  if (!kind) throw invalid('kind', `must be one of ${credentialKinds.join(', ')}`)
  const bindings = checkedBindings(input)
  const collectorIds = checkedCollectors(input.collectorIds ?? [], bindings)
  const { settings, secrets } = parted(kind, input.values)
  return atomically(ctx, async (inner) => {
    await refuseForeignTargets(inner, bindings)
    const id = newUuid(inner.now())
    const { cidrs } = bindings
    const content = { credentialId: id, kind, cidrs, secrets }
    const { copies, ...sealed } = await writtenSecret(inner, { ...content, secretVersion: 1, collectorIds })
    const whole = { ...settings, ...checkedPort(input.port) }
    const isNew = await store.add(inner, {
      asksOnUnknownHost: checkedAsking(kind, settings, input.asksOnUnknownHost) ?? canAsk(kind, settings),
      id,
      name,
      kind,
      settings: whole,
      account: accountOf(settings),
      ...sealed,
    })
    if (!isNew) throw nameTaken(name)
    await store.bind(inner, id, bindings)
    if (copies.length > 0) await replaceCopies(inner, id, copies)
    const details = { name, kind, ...bindings, collectorIds }
    await record(inner, 'credential.created', { type: 'credential', id }, details)
    return credentialOf(inner, id)
  })
}

export async function listCredentials(ctx: Ctx, page: Page): Promise<Listed<CredentialInfo>> {
  permit(ctx, 'credentials:read')
  return store.credentials(ctx, page)
}

/**
 * A place where it was not shown before needs the secret anew: else whoever may edit credentials could have any of
 * them shown to a host of their own.
 */
export async function updateCredential(
  ctx: Ctx,
  id: string,
  changes: CredentialChanges,
): Promise<CredentialInfo> {
  permit(ctx, 'credentials:write')
  return atomically(ctx, async (inner) => {
    const held = isUuid(id) ? await store.lock(inner, id) : undefined
    if (!held) throw notFound('credential')
    const before = await credentialOf(inner, id)
    const name = changes.name === undefined ? before.name : checkedName('name', changes.name, NAME_LENGTH_MAX)
    if (await store.isNameTaken(inner, name, id)) throw nameTaken(name)
    const isNewSecret = hasSecret(before.kind, changes.values ?? {})
    const settings = settingsAfter(before, changes.values ?? {}, isNewSecret)
    await rebind(inner, before, changes, isNewSecret)
    const port = changes.port === undefined ? before.port : changes.port
    const account = accountOf(settings)
    const wantsToAsk = checkedAsking(before.kind, settings, changes.asksOnUnknownHost)
    const asksOnUnknownHost = (wantsToAsk ?? before.asksOnUnknownHost) && canAsk(before.kind, settings)
    await store.change(inner, id, {
      name,
      settings: { ...settings, ...checkedPort(port) },
      account,
      asksOnUnknownHost,
    })
    await giveToCollectors(inner, before, changes, isNewSecret)
    if (isNewSecret) {
      const { secrets } = parted(before.kind, { ...before.settings, ...changes.values })
      await replaceSecret(inner, before, { changes, secrets, secretVersion: held.secretVersion + 1 })
    }
    const after = await credentialOf(inner, id)
    const details = {
      name,
      ...difference(said(before), said(after)),
      secret: isNewSecret ? 'replaced' : 'kept',
    }
    await record(inner, 'credential.updated', { type: 'credential', id }, details)
    return after
  })
}

export async function deleteCredential(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'credentials:write')
  await atomically(ctx, async (inner) => {
    const { name, kind } = await credentialOf(inner, id)
    await store.remove(inner, id)
    await record(inner, 'credential.deleted', { type: 'credential', id }, { name, kind })
  })
}

/** Closes the circuit breaker: the credential is used again, after it was set aside because too many hosts refused it. */
export async function resetCredential(ctx: Ctx, id: string): Promise<CredentialInfo> {
  permit(ctx, 'credentials:write')
  return atomically(ctx, async (inner) => {
    const { name, setAsideUntil } = await credentialOf(inner, id)
    await store.clearRecord(inner, id, false)
    await record(inner, 'credential.reset', { type: 'credential', id }, { name, setAsideUntil })
    return credentialOf(inner, id)
  })
}

/** Lends credentials to one scan, each to the addresses that it is bound to. */
export function lendTo(ctx: Ctx, scan: LendingTo): Lending {
  permit(ctx, 'scans:write')
  return openLending(ctx, scan)
}

export interface Offer {
  readonly address: string
  readonly kinds: readonly CredentialKind[]
  readonly targetId: string | null
  /** Those that show it in place of the server. */
  readonly collectorIds: readonly string[]
}

/** What may be shown to an address: why nothing (undefined: something may), and the ports that credentials name. */
export async function offerAt(
  ctx: Ctx,
  { address, kinds, targetId, collectorIds }: Offer,
): Promise<{ readonly lack: string | undefined; readonly ports: readonly number[] }> {
  permit(ctx, 'scans:write')
  return offeredAt(ctx, { address, kinds, targetId, collectorIds })
}

/** The names of those that are shown wherever a scan target reaches. */
export async function credentialsBoundTo(ctx: Ctx, targetId: string): Promise<string[]> {
  permit(ctx, 'scans:write')
  return store.boundToTarget(ctx, targetId)
}

/** The names of those whose secret that collector alone can open, as long as they are not changed in this transaction. */
export async function credentialsOpenedOnlyBy(ctx: Ctx, collectorId: string): Promise<string[]> {
  permit(ctx, 'scans:write')
  return openedOnlyBy(ctx, collectorId)
}

export async function tenantOfCredential(system: Ctx, id: string): Promise<string> {
  permit(system, 'credentials:read')
  const tenantId = isUuid(id) ? await store.tenantOf(system, id) : undefined
  if (tenantId === undefined) throw notFound('credential')
  return tenantId
}

async function credentialOf(ctx: Ctx, id: string): Promise<CredentialInfo> {
  const found = isUuid(id) ? await store.credential(ctx, id) : undefined
  if (!found) throw notFound('credential')
  return found
}

const nameTaken = (name: string) => conflict(`name: there is a credential called ${name} already`)

interface Replacing {
  readonly changes: CredentialChanges
  readonly secrets: Values
  readonly secretVersion: number
}

async function replaceSecret(
  ctx: Ctx,
  { id, kind, ...before }: CredentialInfo,
  { changes, ...secret }: Replacing,
) {
  const { cidrs, targetIds } = await credentialOf(ctx, id)
  const collectorIds = checkedCollectors(changes.collectorIds ?? before.collectorIds, { cidrs, targetIds })
  if (before.isCollectorOnly && collectorIds.length === 0 && changes.collectorIds === undefined)
    throw invalid('collectorIds', 'say which collectors can open it, or none: the server can then')
  const written = await writtenSecret(ctx, { ...secret, credentialId: id, kind, cidrs, collectorIds })
  await store.replaceSecret(ctx, id, written)
  await replaceCopies(ctx, id, written.copies)
  await store.clearRecord(ctx, id, true)
}

/** Without the secret others cannot be given it; a collector can be taken off. */
async function giveToCollectors(
  ctx: Ctx,
  before: CredentialInfo,
  { collectorIds }: CredentialChanges,
  isNewSecret: boolean,
): Promise<void> {
  const { cidrs, targetIds } = await credentialOf(ctx, before.id)
  const after = checkedCollectors(collectorIds ?? before.collectorIds, { cidrs, targetIds })
  if (collectorIds === undefined || isNewSecret) return
  const isLess = after.every((id) => before.collectorIds.includes(id))
  if (!isLess || before.isCollectorOnly !== after.length > 0)
    throw invalid('collectorIds', 'for others to open it, give its secret anew')
  await keepCopies(ctx, before.id, after)
}

/** Of a target that is a name or has several addresses the server says which; a network the collector can judge itself. */
function checkedCollectors(ids: readonly string[], { targetIds }: Bindings): readonly string[] {
  if (ids.length > 0 && targetIds.length > 0)
    throw invalid('targetIds', 'must be none where collectors alone open the secret: give networks')
  return [...new Set(ids)]
}

async function rebind(ctx: Ctx, before: CredentialInfo, changes: CredentialChanges, isNewSecret: boolean) {
  if (changes.cidrs === undefined && changes.targetIds === undefined) return
  const { cidrs = before.cidrs, targetIds = before.targetIds } = changes
  const bindings = checkedBindings({ cidrs, targetIds })
  if (!isNewSecret && reachesFurther(before, bindings))
    throw invalid('cidrs', 'to show it where it was not shown before, give its secret anew')
  await refuseForeignTargets(ctx, bindings)
  await store.bind(ctx, before.id, bindings)
}

async function refuseForeignTargets(ctx: Ctx, { targetIds }: Bindings): Promise<void> {
  const known = new Set(await store.targets(ctx, targetIds))
  if (targetIds.some((id) => !known.has(id))) throw notFound('scan target')
}

const said = ({
  name,
  isCollectorOnly,
  settings,
  port,
  cidrs,
  targetIds,
  collectorIds,
  asksOnUnknownHost,
}: CredentialInfo) => ({
  name,
  isCollectorOnly,
  ...settings,
  port,
  cidrs,
  targetIds,
  collectorIds,
  asksOnUnknownHost,
})
