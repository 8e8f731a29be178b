import type { RelationOrLinkKind } from '#api/generated/enums-and-inputs.ts'

/** What the asset does to the other, and what the other does to it. */
const words: Readonly<Record<RelationOrLinkKind, readonly [out: string, into: string]>> = {
  runs_on: ['Runs on', 'Runs'],
  connected_to: ['Connected to', 'Connected to'],
  part_of: ['Part of', 'Has'],
  depends_on: ['Depends on', 'Is needed by'],
  used_by: ['Used by', 'Uses'],
  lldp: ['Neighbour', 'Neighbour'],
  cdp: ['Neighbour', 'Neighbour'],
  fdb: ['Has on a port', 'On a port of'],
  arp: ['Has seen', 'Seen by'],
  vm_on_host: ['Runs on', 'Runs'],
}

export const relationWords = (kind: RelationOrLinkKind, direction: string): string =>
  words[kind][direction === 'out' ? 0 : 1]

/** Of a link, how it became known. */
export const linkSources: Readonly<Partial<Record<RelationOrLinkKind, string>>> = {
  lldp: 'LLDP',
  cdp: 'CDP',
  fdb: 'forwarding table',
  arp: 'ARP',
  vm_on_host: 'virtualisation platform',
}
