import type { AssetGroupsData } from '#api/generated/groups.ts'

type Use = AssetGroupsData['assetGroupUses'][number]

const KINDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  group: ['group', 'groups'],
  view: ['saved view', 'saved views'],
  role: ['role', 'roles'],
  api_key: ['API key', 'API keys'],
  override: ['override', 'overrides'],
  check: ['check', 'checks'],
  exception: ['compliance exception', 'compliance exceptions'],
  flow: ['flow', 'flows'],
  notice_rule: ['notice rule', 'notice rules'],
  report: ['report', 'reports'],
}

/** What asks about a group, by kind: `flow Tickets, 2 saved views`. Empty: nothing does. */
export function usesInWords(uses: readonly Use[]): string {
  return [...Map.groupBy(uses, ({ kind }) => kind)].map(([kind, some]) => ofKind(kind, some)).join(', ')
}

function ofKind(kind: string, uses: readonly Use[]): string {
  const [one, many] = KINDS[kind] ?? [kind, kind]
  const name = uses[0]?.name ?? ''
  if (uses.length > 1) return `${uses.length} ${many}`
  return name === '' ? `a ${one}` : `${one} ${name}`
}
