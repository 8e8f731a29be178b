import type { CloudProvider, CloudResourceType } from '#api/generated/enums-and-inputs.ts'
import { compareTerm, withTerm } from '#features/conditions/condition-terms.ts'
import { readListSearch, textOf, withoutAbsent, type ListSearch } from '#features/lists/list-search.ts'

const PROVIDERS = [
  { value: 'AWS', label: 'AWS' },
  { value: 'Azure', label: 'Azure' },
  { value: 'GCP', label: 'Google Cloud' },
  { value: 'Kubernetes', label: 'Kubernetes' },
] as const satisfies readonly { readonly value: CloudProvider; readonly label: string }[]

const TYPES = [
  { value: 'compute', label: 'Compute' },
  { value: 'database', label: 'Database' },
  { value: 'storage', label: 'Storage' },
  { value: 'kubernetes', label: 'Kubernetes' },
  { value: 'function', label: 'Function' },
  { value: 'workload', label: 'Workload' },
] as const satisfies readonly { readonly value: CloudResourceType; readonly label: string }[]

export const providerName = (provider: CloudProvider): string =>
  PROVIDERS.find(({ value }) => value === provider)?.label ?? provider
export const typeName = (type: CloudResourceType): string =>
  TYPES.find(({ value }) => value === type)?.label ?? type

/** Reads an address that anyone may have written; provider and kind had parameters of their own before conditions. */
export function readCloudSearch(raw: Record<string, unknown>): ListSearch {
  const { where = '', ...search } = readListSearch(raw)
  const earlier = [['provider', raw['provider']] as const, ['type', raw['kind']] as const]
  const terms = earlier.flatMap(([field, value]) =>
    textOf(value) ? [compareTerm(field, [textOf(value) ?? ''])] : [],
  )
  return withoutAbsent({ ...search, where: textOf(terms.reduce(withTerm, where)) })
}
