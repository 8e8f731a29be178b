import type { Observation } from '../observation.ts'

/**
 * A scope is a network in which an address is of one machine at a time: that of a site, of a collector, or the one that the
 * server is in. Scans look into one; what agents, imports, clouds and people report is of none that is known.
 */
export const DEFAULT_SCOPE = 'default'

/** The scope of the targets that are assigned to a site. */
export const scopeOfSite = (siteId: string): string => `site:${siteId}`

/** The scope of a collector that has none in common with others. */
export const scopeOfCollector = (collectorId: string): string => `collector:${collectorId}`

/** The observation as seen in the scope: its key is the source's own within that scope only. */
export const inScope = (observation: Observation, scope: string): Observation =>
  scope === DEFAULT_SCOPE
    ? observation
    : { ...observation, scope, sourceKey: keyInScope(observation.sourceKey, scope) }

/** The source key of a record when it is in another scope than now. */
export function keyIn(
  { sourceKey, scope: now }: Readonly<Record<'sourceKey' | 'scope', string>>,
  scope: string,
): string {
  const own = now === DEFAULT_SCOPE ? sourceKey : sourceKey.slice(now.length + 1)
  return scope === DEFAULT_SCOPE ? own : keyInScope(own, scope)
}

/**
 * Whether the source's own key begins as keys of sites or collectors do: without its network, or in another, it would be
 * taken for the key of what was seen there. Devices and files choose keys, so they may not.
 */
export function looksScoped({
  sourceKey,
  scope = DEFAULT_SCOPE,
}: Pick<Observation, 'sourceKey' | 'scope'>): boolean {
  const own = scope === DEFAULT_SCOPE ? sourceKey : sourceKey.slice(scope.length + 1)
  return [scopeOfSite(''), scopeOfCollector('')].some((it) => own.startsWith(it))
}

const keyInScope = (sourceKey: string, scope: string): string => `${scope} ${sourceKey}`

/** Whether nobody knows in which network the source sees it. */
export const isAnywhere = ({
  source,
  scope,
}: {
  readonly source: { readonly kind: string }
  readonly scope: string
}): boolean => scope === DEFAULT_SCOPE && !scanKinds.has(source.kind)

/** Kinds of sources that look into a network from one place. */
export const scanKinds: ReadonlySet<string> = new Set([
  'sweep',
  'passive',
  'snmp',
  'ssh',
  'wmi',
  'hypervisor',
  'vmware',
])
