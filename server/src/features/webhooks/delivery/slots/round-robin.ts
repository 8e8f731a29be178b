/** An endpoint that could start `room` deliveries. */
export interface Demand {
  readonly endpointSeq: number
  readonly tenantId: string
  readonly room: number
}

export interface SlotGrant {
  readonly endpointSeq: number
  readonly room: number
}

export interface FreeSlots {
  /** Slots to grant now. */
  readonly slots: number
  /** Free slots of the lane; a tenant gets no more once it holds twice what would remain free. */
  readonly free: number
  readonly heldByTenant: ReadonlyMap<string, number>
}

export const HELD_PER_FREE = 2

/**
 * Grants slots one at a time: each to the tenant with the fewest, and within a tenant to its endpoints in turn. Ties
 * are decided by the order of `demands`.
 */
export function shareRoundRobin(
  demands: readonly Demand[],
  { slots, free, heldByTenant }: FreeSlots,
): SlotGrant[] {
  const given = new Map<number, number>()
  let left = Math.min(slots, free)
  let tenants = [...Map.groupBy(demands, (it) => it.tenantId)].map(([tenantId, its]) => ({
    queue: its.map(({ endpointSeq, room }) => ({ endpointSeq, room })),
    held: heldByTenant.get(tenantId) ?? 0,
  }))
  for (let level = lowest(tenants); left > 0 && tenants.length > 0; level = lowest(tenants)) {
    for (const tenant of tenants) {
      if (left <= 0 || tenant.held > level) continue
      const unused = free - Math.min(slots, free) + left
      if (tenant.held >= HELD_PER_FREE * unused) return grantsOf(given)
      const next = tenant.queue.shift()
      if (!next) continue
      given.set(next.endpointSeq, (given.get(next.endpointSeq) ?? 0) + 1)
      if (next.room > 1) tenant.queue.push({ ...next, room: next.room - 1 })
      tenant.held += 1
      left -= 1
    }
    tenants = tenants.filter(({ queue }) => queue.length > 0)
  }
  return grantsOf(given)
}

const lowest = (tenants: readonly { readonly held: number }[]): number =>
  tenants.reduce((least, { held }) => Math.min(least, held), Infinity)

const grantsOf = (given: ReadonlyMap<number, number>): SlotGrant[] =>
  [...given].map(([endpointSeq, room]) => ({ endpointSeq, room }))
