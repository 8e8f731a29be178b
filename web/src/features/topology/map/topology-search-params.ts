import type { TopologyLayer } from '#api/generated/enums-and-inputs.ts'

/** URL search parameters of the topology. */
export interface TopologySearch {
  /** What is connected with what, unless given. */
  readonly layer?: Exclude<TopologyLayer, 'links'> | undefined
  /** One site; empty: what has none; `ALL_SITES`. The sites as boxes, unless given. */
  readonly site?: string | undefined
}

export const ALL_SITES = '*'

/** Parses URL search parameters; invalid ones are ignored. */
export const readTopologySearch = ({ layer, site }: Record<string, unknown>): TopologySearch => ({
  ...(layer === 'routing' && { layer }),
  ...((typeof site === 'string' || typeof site === 'number') && { site: String(site) }),
})
