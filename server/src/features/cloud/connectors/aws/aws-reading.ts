import type { ScopeKey } from '../../cloud-resource.ts'
import { CloudFault } from '../cloud-fault.ts'
import { pagesOf } from '../pages.ts'
import { listAt, textAt } from '../read-json.ts'
import type { AwsApi, AwsPlace } from './aws-api.ts'

/** One scope that is being read. */
export interface AwsReading {
  readonly api: AwsApi
  readonly scope: ScopeKey
  readonly place: (service: string, region?: string) => AwsPlace
  readonly arn: (service: string, resource: string) => string
}

export type Tags = ReadonlyMap<string, readonly string[]>

/**
 * Tags of all resources of a type in a region, by ARN: one list instead of a call for each. Without the permission,
 * resources are listed without tags.
 */
export async function tagsByArn(reading: AwsReading, type: string, region: string): Promise<Tags> {
  const found = new Map<string, readonly string[]>()
  const pages = pagesOf(async (PaginationToken) => {
    const page = await reading.api.json(
      reading.place('tagging', region),
      'ResourceGroupsTaggingAPI_20170126.GetResources',
      {
        ResourcesPerPage: 100,
        ResourceTypeFilters: [type],
        ...(PaginationToken !== undefined && { PaginationToken }),
      },
    )
    return { items: listAt(page, 'ResourceTagMappingList'), next: textAt(page, 'PaginationToken') }
  })
  try {
    for await (const page of pages)
      for (const it of page) found.set(textAt(it, 'ResourceARN'), awsTags(listAt(it, 'Tags')))
  } catch (error) {
    if (!(error instanceof CloudFault && (error.kind === 'not_allowed' || error.kind === 'region')))
      throw error
  }
  return found
}

/** `key:value` of `{Key, Value}`. */
export const awsTags = (tags: readonly unknown[]): string[] =>
  tags
    .map((it) => [textAt(it, 'Key'), textAt(it, 'Value')] as const)
    .filter(([key]) => key !== '')
    .map(([key, value]) => (value === '' ? key : `${key}:${value}`))
    .toSorted()
