import type { Observation } from '#features/assets/observation.ts'
import { submit } from '#features/sources/sources.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { agentNames, type AgentKind } from '../agent.ts'
import * as store from '../agent-store.ts'
import { hardwareOf, observationOf } from '../mapping/inventory-observation.ts'
import type { Content, Inventory } from '../messages/message.ts'
import type { TokenContext } from '../tokens/token-authentication.ts'
import { hardwareWithoutJunk, hostOf, NO_HARDWARE } from './host-of-report.ts'

/** Who reports, and from where. */
export interface Sender {
  readonly token: TokenContext
  readonly kind: AgentKind
  readonly address: string
  /** Of the agent. */
  readonly version: string
}

/**
 * An agent asked what it should do: from then on it is listed, although it has not reported. The ids of all agents that call
 * themselves so: which of them it is, is told by nothing but an inventory.
 */
export async function noteContact(sender: Sender, deviceId: string): Promise<readonly string[]> {
  const { ctx, tokenId } = sender.token
  permit(ctx, 'assets:write')
  return atomically(ctx, async (inner) => {
    const { kind } = sender
    await hostOf(inner, { kind, deviceId, tokenId, hardware: NO_HARDWARE })
    const sharing = (await store.lockedOf(inner, kind, [deviceId])).map(({ id }) => id)
    await store.noteContact(inner, sharing, contactOf(inner, sender))
    return sharing
  })
}

/**
 * Takes one inventory: the observation, and what the next partial inventory needs of it, in one transaction. An inventory
 * that the intake rejects is noted at the agent and refused, naming the field.
 */
export async function receiveInventory(sender: Sender, inventory: Inventory): Promise<void> {
  const { ctx, tokenId, tags } = sender.token
  permit(ctx, 'assets:write')
  const rejected = await atomically(ctx, async (inner) => {
    const hardware = hardwareWithoutJunk(hardwareOf(inventory.content))
    const host = await hostOf(inner, { ...inventory, tokenId, hardware })
    await store.noteContact(inner, [host.id], contactOf(inner, sender))
    const content = inventory.isPartial ? mergedContent(host.content, inventory.content) : inventory.content
    const observation = observationOf({
      inventory: { ...inventory, content },
      sourceKey: host.sourceKey,
      seenAt: inner.now(),
      tags,
      knownOrigins: host.softwareOrigins,
      hasSoftware: inventory.content.has('softwares'),
    })
    const refused = await submitOne(inner, sender.kind, observation)
    if (refused) {
      await store.noteProblem(inner, host.id, `${refused.field}: ${refused.message}`)
      return refused
    }
    await store.noteReport(inner, host.id, {
      deviceId: inventory.deviceId,
      name: observation.name ?? inventory.deviceId,
      serial: hardware.serial ?? host.serial,
      smbiosUuid: hardware.smbiosUuid ?? host.smbiosUuid,
      content: TELLS_CHANGES.has(inventory.kind) ? storedContent(content) : {},
      softwareOrigins: originsAfter(host, observation),
      at: inner.now(),
    })
    return undefined
  })
  if (rejected) throw invalid(rejected.field, rejected.message)
}

/** The source of all agents of a kind; the first observation of the kind announces it. */
export async function submitOne(ctx: Ctx, kind: AgentKind, observation: Observation) {
  const source = { kind, key: kind, name: agentNames[kind] }
  const { rejected } = await submit(ctx, source, [observation])
  return rejected[0]
}

export const originsAfter = (
  host: Pick<store.StoredAgent, 'softwareOrigins'>,
  { software }: Observation,
): readonly string[] => (software && software.complete.length > 0 ? software.complete : host.softwareOrigins)

export const contactOf = (ctx: Ctx, { token, address, version }: Sender): store.Contact => ({
  tokenId: token.tokenId,
  address,
  version,
  at: ctx.now(),
})

/** Kinds whose reports may leave out what did not change, or could not be read. */
const TELLS_CHANGES: ReadonlySet<AgentKind> = new Set(['glpi', 'osquery'])

/** What the mapping reads, without the list of software, which is kept by the software inventory. */
const STORED_CATEGORIES = new Set([
  'hardware',
  'bios',
  'operatingsystem',
  'networks',
  'cpus',
  'drives',
  'storages',
  'memories',
  'monitors',
  'antivirus',
  'firewalls',
  'virtualmachines',
  'local_users',
])
const STORED_ROWS_MAX = 500

function storedContent(content: Content): store.StoredAgent['content'] {
  const stored = [...content].filter(([category]) => STORED_CATEGORIES.has(category))
  return Object.fromEntries(
    stored.map(([category, rows]) => [
      category,
      rows.slice(0, STORED_ROWS_MAX).map((row) => Object.fromEntries(row)),
    ]),
  )
}

/** A category that is absent was not told; one that is present replaces what was told before. */
function mergedContent(stored: store.StoredAgent['content'], told: Content): Content {
  const before = Object.entries(stored).map(
    ([category, rows]) => [category, rows.map((row) => new Map(Object.entries(row)))] as const,
  )
  return new Map([...before, ...told])
}
