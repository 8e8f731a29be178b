import type { CloudProvider, CloudResourceType } from '#api/generated/enums-and-inputs.ts'

/** What the address of the list of cloud resources says. */
export interface CloudSearch {
  readonly text?: string | undefined
  readonly provider?: CloudProvider | undefined
  readonly kind?: CloudResourceType | undefined
}

export const PROVIDERS = [
  { value: 'AWS', label: 'AWS' },
  { value: 'Azure', label: 'Azure' },
  { value: 'GCP', label: 'Google Cloud' },
  { value: 'Kubernetes', label: 'Kubernetes' },
] as const satisfies readonly { readonly value: CloudProvider; readonly label: string }[]

export const TYPES = [
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

/** Reads an address that anyone may have written: what is not understood is left out. */
export function readCloudSearch(raw: Record<string, unknown>): CloudSearch {
  const provider = PROVIDERS.find(({ value }) => value === raw['provider'])?.value
  const kind = TYPES.find(({ value }) => value === raw['kind'])?.value
  const { text } = raw
  return {
    ...(typeof text === 'string' && text !== '' && { text }),
    ...(provider && { provider }),
    ...(kind && { kind }),
  }
}
