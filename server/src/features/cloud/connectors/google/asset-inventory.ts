import type { CloudType } from '../../cloud-resource.ts'
import { pagesOf } from '../pages.ts'
import { listAt, objectAt, textAt } from '../read-json.ts'
import type { GoogleApi } from './google-api.ts'
import type { GoogleAsset } from './google-resources.ts'

/** Types of assets, by ours. A function of the second generation is a Cloud Run service besides: it is listed once. */
export const assetTypes: Readonly<Record<CloudType, readonly string[]>> = {
  compute: ['compute.googleapis.com/Instance'],
  database: ['sqladmin.googleapis.com/Instance'],
  storage: ['storage.googleapis.com/Bucket'],
  kubernetes: ['container.googleapis.com/Cluster'],
  function: ['cloudfunctions.googleapis.com/CloudFunction', 'cloudfunctions.googleapis.com/Function'],
}
const PAGE_SIZE = '1000'

/** Everything of a type below an organisation, folder or project, in one list: Cloud Asset Inventory, assets.list. */
export async function* assetsIn(
  api: GoogleApi,
  scope: string,
  type: CloudType,
  projects: ReadonlyMap<string, string>,
): AsyncIterable<GoogleAsset[]> {
  let readTime: string | undefined
  const pages = pagesOf(async (pageToken) => {
    const page = await api.get('cloudasset', `/v1/${scope}/assets`, {
      contentType: 'RESOURCE',
      assetTypes: assetTypes[type],
      pageSize: PAGE_SIZE,
      // all pages are of the moment of the first
      ...(pageToken !== undefined && readTime !== undefined && { readTime }),
      ...(pageToken !== undefined && { pageToken }),
    })
    readTime ??= textAt(page, 'readTime') || undefined
    return { items: listAt(page, 'assets'), next: textAt(page, 'nextPageToken') }
  })
  for await (const page of pages)
    yield page.map((it) => ({
      project: projectOf(it, projects),
      fullName: textAt(it, 'name'),
      data: objectAt(it, 'resource', 'data'),
    }))
}

/** The nearest ancestor, by number or id; buckets have no project in their name. */
function projectOf(asset: unknown, projects: ReadonlyMap<string, string>): string {
  const [nearest = ''] = listAt(asset, 'ancestors').map(String)
  const known = projects.get(nearest.replace(/^projects\//, ''))
  return known ?? /\/projects\/([^/]+)/.exec(textAt(asset, 'name'))?.[1] ?? ''
}
