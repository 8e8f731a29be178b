import { record } from '#features/audit/audit.ts'
import { normaliseIdentifier } from '#features/assets/assets.ts'
import type { Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import type { AgentKind } from '../agent.ts'
import * as store from '../agent-store.ts'

/** Normalised, without junk. */
export interface Hardware {
  readonly serial: string | null
  readonly smbiosUuid: string | null
}

export const NO_HARDWARE: Hardware = { serial: null, smbiosUuid: null }

export function hardwareWithoutJunk(told: { readonly serial?: string; readonly uuid?: string }): Hardware {
  const read = (type: 'serial' | 'smbios_uuid', value = ''): string | null => {
    const reading = normaliseIdentifier({ type, value })
    return reading.kind === 'value' ? reading.value : null
  }
  return { serial: read('serial', told.serial), smbiosUuid: read('smbios_uuid', told.uuid) }
}

export interface Reporter {
  readonly kind: AgentKind
  readonly deviceId: string
  readonly oldDeviceId?: string
  /** Known by a key of its own. */
  readonly agentId?: string
  readonly tokenId: string
  readonly hardware: Hardware
}

const ATTEMPTS_MAX = 20

/**
 * The host that reports, locked until the transaction ends; a new one when the hosts known by that id have another serial
 * number, or another SMBIOS UUID where no serial is told. Hosts of one id are never linked by it: each has an observation of its own.
 */
export async function hostOf(ctx: Ctx, reporter: Reporter): Promise<store.StoredAgent> {
  const { kind, deviceId, oldDeviceId } = reporter
  const ids = [deviceId, ...(oldDeviceId === undefined ? [] : [oldDeviceId])]
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const candidates = await store.lockedOf(ctx, kind, ids)
    const known = sameHost(candidates, reporter)
    if (known) return known
    const sharing = candidates.length
    const sourceKey = sharing === 0 ? deviceId : `${deviceId}#${sharing + 1 + attempt}`
    const added = await addHost(ctx, reporter, sourceKey)
    if (!added) continue // another request added it first, or the key is of a host that has another id now
    if (sharing > 0)
      await record(ctx, 'agent.id_shared', { type: 'agent', id: added.id }, { kind, deviceId, sourceKey })
    return added
  }
  throw new Error(`more than ${ATTEMPTS_MAX} hosts took the key of ${kind} ${deviceId}`)
}

/** Of several hosts with the id, the one with this hardware; else one whose hardware is not known to be another. */
function sameHost(
  candidates: readonly store.StoredAgent[],
  { hardware, agentId }: Reporter,
): store.StoredAgent | undefined {
  const own = candidates.find(({ id }) => id === agentId)
  if (own) return own
  const compared = candidates.map((agent) => ({ agent, likeness: likenessOf(agent, hardware) }))
  return (
    compared.find(({ likeness }) => likeness === 'same') ??
    compared.find(({ likeness }) => likeness === 'unknown')
  )?.agent
}

/** By the serial, where both tell one: agents keep the UUID of a board from which their disk was taken. */
function likenessOf(known: Hardware, told: Hardware): 'same' | 'other' | 'unknown' {
  const [mine, theirs] =
    known.serial !== null && told.serial !== null
      ? [known.serial, told.serial]
      : [known.smbiosUuid, told.smbiosUuid]
  if (mine === null || theirs === null) return 'unknown'
  return mine === theirs ? 'same' : 'other'
}

async function addHost(
  ctx: Ctx,
  { kind, deviceId, tokenId, hardware }: Reporter,
  sourceKey: string,
): Promise<store.StoredAgent | undefined> {
  const at = ctx.now()
  const id = newUuid(at)
  const isAdded = await store.add(ctx, { id, kind, deviceId, sourceKey, tokenId, at })
  if (!isAdded) return undefined
  return { id, deviceId, sourceKey, ...hardware, content: {}, softwareOrigins: [], enrolledAt: null }
}
