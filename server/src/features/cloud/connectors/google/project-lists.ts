import type { CloudType } from '../../cloud-resource.ts'
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
export async function* listOfProject(
  api: GoogleApi,
  project: string,
  type: CloudType,
): AsyncIterable<ProjectPage> {
  const { service, path, query, from } = lists[type](project)
  const pages = pagesOf(async (pageToken) => {
    const page = await api.get(service, path, { ...query, ...(pageToken !== undefined && { pageToken }) })
    return { items: [page], next: textAt(page, 'nextPageToken') }
  })
  for await (const [page] of pages) if (page) yield from(page)
}

interface List {
  readonly service: string
  readonly path: string
  readonly query: Query
  readonly from: (page: JsonObject) => ProjectPage
}

const lists: Readonly<Record<CloudType, (project: string) => List>> = {
  compute: (project) => ({
    service: 'compute',
    path: `/compute/v1/projects/${project}/aggregated/instances`,
    query: { maxResults: '500', returnPartialSuccess: 'true' },
    from: (page) => instancesFrom(page, project),
  }),
  database: (project) => ({
    service: 'sqladmin',
    path: `/sql/v1beta4/projects/${project}/instances`,
    query: { maxResults: '500' },
    from: (page) => ({
      assets: listAt(page, 'items').map((it) =>
        named(project, `//cloudsql.googleapis.com/projects/${project}/instances/${textAt(it, 'name')}`, it),
      ),
      unreachable: listAt(page, 'warnings').map((it) => textAt(it, 'region') || textAt(it, 'code')),
    }),
  }),
  storage: (project) => ({
    service: 'storage',
    path: '/storage/v1/b',
    query: { project, maxResults: '1000' },
    from: (page) => ({
      assets: listAt(page, 'items').map((it) =>
        named(project, `//storage.googleapis.com/${textAt(it, 'name')}`, it),
      ),
      unreachable: listAt(page, 'unreachable').map(String),
    }),
  }),
  kubernetes: (project) => ({
    service: 'container',
    path: `/v1/projects/${project}/locations/-/clusters`,
    query: {},
    from: (page) => ({
      assets: listAt(page, 'clusters').map((it) => named(project, clusterName(project, it), it)),
      unreachable: listAt(page, 'missingZones').map(String),
    }),
  }),
  function: (project) => ({
    service: 'cloudfunctions',
    path: `/v2/projects/${project}/locations/-/functions`,
    query: { pageSize: '1000' },
    from: (page) => ({
      assets: listAt(page, 'functions').map((it) =>
        named(project, `//cloudfunctions.googleapis.com/${textAt(it, 'name')}`, it),
      ),
      unreachable: listAt(page, 'unreachable').map(String),
    }),
  }),
}

/** A zone without machines on the page has a warning too, which means nothing. */
function instancesFrom(page: JsonObject, project: string): ProjectPage {
  const zones = Object.entries(objectAt(page, 'items'))
  const silent = zones
    .filter(([, it]) => textAt(it, 'warning', 'code') === 'UNREACHABLE')
    .map(([zone]) => zone)
  return {
    assets: zones
      .flatMap(([, it]) => listAt(it, 'instances'))
      .map((it) =>
        named(
          project,
          textAt(it, 'selfLink').replace(/^https?:\/\/[^/]+\/compute\/[^/]+\//, '//compute.googleapis.com/'),
          it,
        ),
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
