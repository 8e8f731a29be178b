import type { Observation } from '#features/assets/observation.ts'
import type { Seen } from '../discovery.ts'

/** What is compared between runs, as an observation says it. */
export function seenOf({ name, os, vendor, model, facts = {} }: Observation): Seen {
  const { openPorts } = facts
  return {
    ...(name !== undefined && { name }),
    ...(os !== undefined && { os }),
    ...(vendor !== undefined && { vendor }),
    ...(model !== undefined && { model }),
    ...(Array.isArray(openPorts) && { ports: openPorts.filter((it) => typeof it === 'number') }),
  }
}
