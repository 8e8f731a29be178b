import { unreachable } from '#platform/errors.ts'
import type { ResourceType } from '../../cloud-resource.ts'
import { pagesOf } from '../pages.ts'
import { listAt, objectAt, textAt, type JsonObject } from '../read-json.ts'
import type { GoogleApi, Query } from './google-api.ts'
import type { GoogleAsset } from './google-resources.ts'

/** A page of one project's list, and which parts of the project did not answer. */
export interface ProjectPage {
  readonly assets: readonly GoogleAsset[]
  readonly unreachable: readonly string[]
}

/** The list of one type in one project, where Asset Inventory may not be used. */
export function listOfProject(
  api: GoogleApi,
  project: string,
  type: ResourceType,
): AsyncIterable<ProjectPage> {
  switch (type) {
    case 'compute':
      return lists(api, 'compute', `/compute/v1/projects/${project}/aggregated/instances`, {
        query: { maxResults: '500', returnPartialSuccess: 'true' },
        from: (page) => instancesFrom(page, project),
      })
    case 'database':
      return lists(api, 'sqladmin', `/sql/v1beta4/projects/${project}/instances`, {
        query: { maxResults: '500' },
        from: (page) => ({
          assets: listAt(page, 'items').map((it) =>
            named(project, `//cloudsql.googleapis.com/projects/${project}/instances/${textAt(it, 'name')}`, it),
          ),
          unreachable: listAt(page, 'warnings').map((it) => textAt(it, 'region') || textAt(it, 'code')),
        }),
      })
    case 'storage':
      return lists(api, 'storage', '/storage/v1/b', {
        query: { project, maxResults: '1000' },
        from: (page) => ({
          assets: listAt(page, 'items').map((it) =>
            named(project, `//storage.googleapis.com/${textAt(it, 'name')}`, it),
          ),
          unreachable: listAt(page, 'unreachable').map(String),
        }),
      })
    case 'kubernetes':
      return lists(api, 'container', `/v1/projects/${project}/locations/-/clusters`, {
        query: {},
        from: (page) => ({
          assets: listAt(page, 'clusters').map((it) => named(project, clusterName(project, it), it)),
          unreachable: listAt(page, 'missingZones').map(String),
        }),
      })
    case 'function':
      return lists(api, 'cloudfunctions', `/v2/projects/${project}/locations/-/functions`, {
        query: { pageSize: '1000' },
        from: (page) => ({
          assets: listAt(page, 'functions').map((it) =>
            named(project, `//cloudfunctions.googleapis.com/${textAt(it, 'name')}`, it),
          ),
          unreachable: listAt(page, 'unreachable').map(String),
        }),
      })
    default:
      return unreachable(type)
  }
}

interface List {
  readonly query: Query
  readonly from: (page: JsonObject) => ProjectPage
}

async function* lists(
  api: GoogleApi,
  service: string,
  path: string,
  { query, from }: List,
): AsyncIterable<ProjectPage> {
  const pages = pagesOf(async (pageToken) => {
    const page = await api.get(service, path, { ...query, ...(pageToken !== undefined && { pageToken }) })
    return { items: [page], next: textAt(page, 'nextPageToken') }
  })
  for await (const [page] of pages) if (page) yield from(page)
}

/** A zone without machines on the page has a warning too, which means nothing. */
function instancesFrom(page: JsonObject, project: string): ProjectPage {
  const zones = Object.entries(objectAt(page, 'items'))
  const silent = zones.filter(([, it]) => textAt(it, 'warning', 'code') === 'UNREACHABLE').map(([zone]) => zone)
  return {
    assets: zones
      .flatMap(([, it]) => listAt(it, 'instances'))
      .map((it) =>
        named(project, textAt(it, 'selfLink').replace(/^https?:\/\/[^/]+\/compute\/[^/]+\//, '//compute.googleapis.com/'), it),
      ),
    unreachable: [...new Set([...silent, ...listAt(page, 'unreachables').map(String)])],
  }
}

const clusterName = (project: string, cluster: unknown): string =>
  `//container.googleapis.com/projects/${project}/locations/${textAt(cluster, 'location')}/clusters/${textAt(cluster, 'name')}`

const named = (project: string, fullName: string, data: unknown): GoogleAsset => ({
  project,
  fullName,
  data: objectAt(data),
})
