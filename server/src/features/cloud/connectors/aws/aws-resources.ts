import { GLOBAL, type SeenResource } from '../../cloud-resource.ts'
import { pagesOf, type ListPage } from '../pages.ts'
import { CloudFault } from '../cloud-fault.ts'
import { factsOf, listAt, nodeGroups, objectAt, tagsOf, textAt } from '../read-json.ts'
import { awsTags, tagsByArn, type AwsReading, type Tags } from './aws-reading.ts'

/** Of DescribeDB…; of EKS; of Lambda, which answers no more than 50 anyway. */
const RECORDS_MAX = '100'
const CLUSTERS_MAX = '100'
/** Each is a call. */
const NODE_GROUPS_MAX = 50
const FUNCTIONS_MAX = '50'
const BUCKETS_MAX = '1000'

/** Instances and clusters, Aurora's members among the former; DocumentDB and Neptune are told as what they are. */
export async function* databasesOf(reading: AwsReading): AsyncIterable<SeenResource[]> {
  for (const kind of ['DBInstance', 'DBCluster']) {
    const pages = pagesOf(async (Marker): Promise<ListPage<unknown>> => {
      const answer = await reading.api.query(reading.place('rds'), `Describe${kind}s`, {
        MaxRecords: RECORDS_MAX,
        ...(Marker !== undefined && { Marker }),
      })
      const page = objectAt(answer, `Describe${kind}sResult`)
      return { items: listAt(page, `${kind}s`, kind), next: textAt(page, 'Marker') }
    })
    for await (const page of pages) yield page.map((it) => databaseFrom(reading, kind, it))
  }
}

function databaseFrom(reading: AwsReading, kind: string, database: unknown): SeenResource {
  const of = (...path: string[]) => textAt(database, ...path)
  return {
    scope: reading.scope,
    region: reading.scope.region,
    nativeId: of(`${kind}Arn`),
    name: of(`${kind}Identifier`),
    status: of('DBInstanceStatus') || of('Status'),
    tags: awsTags(listAt(database, 'TagList', 'Tag')),
    facts: factsOf({
      engine: of('Engine'),
      version: of('EngineVersion'),
      size: of('DBInstanceClass'),
      host: of('Endpoint', 'Address') || of('Endpoint'),
      cluster: kind === 'DBInstance' ? of('DBClusterIdentifier') : '',
      zone: of('AvailabilityZone'),
      created: of('InstanceCreateTime') || of('ClusterCreateTime'),
      public: of('PubliclyAccessible'),
      encrypted: of('StorageEncrypted'),
    }),
  }
}

/** All of the account at once; unpaged, the list is refused above 10,000. */
export async function* bucketsOf(reading: AwsReading, region: string): AsyncIterable<SeenResource[]> {
  const tags = new Map<string, Tags>()
  const pages = pagesOf(async (token) => {
    const page = await reading.api.xml(
      reading.place('s3', region),
      '/',
      { 'max-buckets': BUCKETS_MAX, ...(token !== undefined && { 'continuation-token': token }) },
      'ListBuckets',
    )
    return { items: listAt(page, 'Buckets', 'Bucket'), next: textAt(page, 'ContinuationToken') }
  })
  for await (const page of pages) {
    for (const bucket of page) {
      const at = textAt(bucket, 'BucketRegion')
      if (at !== '' && !tags.has(at)) tags.set(at, await tagsByArn(reading, 's3:bucket', at))
    }
    yield page.map((it) => bucketFrom(reading, it, tags.get(textAt(it, 'BucketRegion'))))
  }
}

function bucketFrom(reading: AwsReading, bucket: unknown, tags: Tags | undefined): SeenResource {
  const name = textAt(bucket, 'Name')
  // the ARN of a bucket has neither region nor account
  const nativeId = `${reading.arn('s3', '').split(':').slice(0, 3).join(':')}:::${name}`
  return {
    scope: reading.scope,
    region: textAt(bucket, 'BucketRegion') || GLOBAL,
    nativeId,
    name,
    status: 'available',
    tags: tags?.get(nativeId) ?? [],
    facts: factsOf({ created: textAt(bucket, 'CreationDate') }),
  }
}

/** The list has names alone, so each is asked for; accounts have few. */
export async function* clustersOf(reading: AwsReading): AsyncIterable<SeenResource[]> {
  const place = reading.place('eks')
  const pages = pagesOf(async (nextToken) => {
    const page = await reading.api.rest(
      place,
      '/clusters',
      { maxResults: CLUSTERS_MAX, ...(nextToken !== undefined && { nextToken }) },
      'ListClusters',
    )
    return { items: listAt(page, 'clusters'), next: textAt(page, 'nextToken') }
  })
  for await (const names of pages) {
    const found: SeenResource[] = []
    for (const name of names) {
      const path = `/clusters/${encodeURIComponent(String(name))}`
      const answer = await reading.api.rest(place, path, {}, 'DescribeCluster')
      found.push(clusterFrom(reading, objectAt(answer, 'cluster'), await nodeGroupsOf(reading, path)))
    }
    yield found
  }
}

/** Without the permission, clusters are listed without them. */
async function nodeGroupsOf(reading: AwsReading, path: string): Promise<string> {
  const place = reading.place('eks')
  try {
    const list = await reading.api.rest(
      place,
      `${path}/node-groups`,
      { maxResults: CLUSTERS_MAX },
      'ListNodegroups',
    )
    const groups = []
    for (const name of listAt(list, 'nodegroups').slice(0, NODE_GROUPS_MAX)) {
      const of = `${path}/node-groups/${encodeURIComponent(String(name))}`
      const group = objectAt(await reading.api.rest(place, of, {}, 'DescribeNodegroup'), 'nodegroup')
      groups.push({
        name: textAt(group, 'nodegroupName'),
        size: listAt(group, 'instanceTypes').join(' or '),
        count: textAt(group, 'scalingConfig', 'desiredSize'),
      })
    }
    return nodeGroups(groups)
  } catch (error) {
    if (!(error instanceof CloudFault && error.kind === 'not_allowed')) throw error
    return ''
  }
}

function clusterFrom(reading: AwsReading, cluster: unknown, groups: string): SeenResource {
  return {
    scope: reading.scope,
    region: reading.scope.region,
    nativeId: textAt(cluster, 'arn'),
    name: textAt(cluster, 'name'),
    status: textAt(cluster, 'status'),
    tags: tagsOf(objectAt(cluster, 'tags')),
    facts: factsOf({
      version: textAt(cluster, 'version'),
      platform: textAt(cluster, 'platformVersion'),
      host: textAt(cluster, 'endpoint'),
      vpc: textAt(cluster, 'resourcesVpcConfig', 'vpcId'),
      node_groups: groups,
      created: textAt(cluster, 'createdAt'),
    }),
  }
}

/** The list tells no state: what is listed can be called. */
export async function* functionsOf(reading: AwsReading): AsyncIterable<SeenResource[]> {
  let tags: Tags | undefined
  const pages = pagesOf(async (Marker) => {
    const page = await reading.api.rest(
      reading.place('lambda'),
      '/2015-03-31/functions/',
      { MaxItems: FUNCTIONS_MAX, ...(Marker !== undefined && { Marker }) },
      'ListFunctions',
    )
    return { items: listAt(page, 'Functions'), next: textAt(page, 'NextMarker') }
  })
  for await (const page of pages) {
    if (page.length > 0) tags ??= await tagsByArn(reading, 'lambda:function', reading.scope.region)
    yield page.map((it) => functionFrom(reading, it, tags))
  }
}

function functionFrom(reading: AwsReading, code: unknown, tags: Tags | undefined): SeenResource {
  const of = (...path: string[]) => textAt(code, ...path)
  const nativeId = of('FunctionArn')
  return {
    scope: reading.scope,
    region: reading.scope.region,
    nativeId,
    name: of('FunctionName'),
    status: of('State') || 'available',
    tags: tags?.get(nativeId) ?? [],
    facts: factsOf({
      runtime: of('Runtime'),
      changed: of('LastModified'),
      vpc: of('VpcConfig', 'VpcId'),
      role: of('Role'),
    }),
  }
}
