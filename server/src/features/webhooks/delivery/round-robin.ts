/** An endpoint that could begin `room` deliveries. */
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
  /** To give out now. */
  readonly slots: number
  /** Of the lane; a tenant gets no more once it holds twice what would be left of them. */
  readonly free: number
  readonly heldByTenant: ReadonlyMap<string, number>
}

const HELD_PER_FREE = 2

/**
 * Gives out slots one by one: always to a tenant that holds the fewest, and within a tenant to its endpoints in turn.
 * Among equals the order of `demands` decides.
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
