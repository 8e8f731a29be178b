import type { ChangeKind } from '#api/generated/enums-and-inputs.ts'

/** Kinds of changes that people look for together. */
export interface ChangeFamily {
  readonly id: string
  readonly title: string
  readonly kinds: readonly ChangeKind[]
  readonly permission?: string
}

export const changeFamilies: readonly ChangeFamily[] = [
  { id: 'new', title: 'New assets', kinds: ['asset_appeared'] },
  { id: 'gone', title: 'Gone', kinds: ['asset_archived', 'asset_deleted'] },
  { id: 'values', title: 'Changed values', kinds: ['field_changed'] },
  {
    id: 'software',
    title: 'Software',
    kinds: ['software_installed', 'software_removed', 'software_updated'],
  },
  { id: 'ports', title: 'Ports', kinds: ['port_opened', 'port_closed'] },
  {
    id: 'opened',
    title: 'Findings opened',
    kinds: ['finding_opened'],
    permission: 'vulnerabilities:read',
  },
  {
    id: 'closed',
    title: 'Findings closed',
    kinds: ['finding_closed'],
    permission: 'vulnerabilities:read',
  },
  { id: 'identity', title: 'Merged or split', kinds: ['asset_merged', 'asset_split'] },
  { id: 'other', title: 'Back, and new sources', kinds: ['asset_revived', 'source_connected'] },
]

/** Of the families with these ids; of all, when there is none. */
export const kindsOf = (
  families: readonly ChangeFamily[],
  chosen: readonly string[],
): readonly ChangeKind[] =>
  families.filter(({ id }) => chosen.length === 0 || chosen.includes(id)).flatMap(({ kinds }) => kinds)
