import { AwsClient } from 'aws4fetch'

/**
 * An estate at moto (a stand-in for AWS, on PyPI), made by the calls that a customer would make: two accounts, three
 * regions. One instance per call, because moto counts reservations where AWS counts instances.
 */
export const REGIONS = ['eu-west-1', 'us-east-1', 'ap-southeast-2'] as const
export const ESTATE = { compute: 300, database: 136, storage: 18, kubernetes: 6, function: 70 } as const

const OTHER_ACCOUNT = '222222222222'
/** The account of keys that moto has not made. */
const OWN_ACCOUNT = '123456789012'
const API_VERSIONS = { ec2: '2016-11-15', rds: '2014-10-31', sts: '2011-06-15', iam: '2010-05-08' } as const

export interface MotoEstate {
  readonly accounts: readonly string[]
  /** Ends some instances of the largest place and stops some others. */
  readonly change: (ended: number, stopped: number) => Promise<void>
}

/** `address` of a fresh `moto_server`. */
export async function makeEstate(address: string): Promise<MotoEstate> {
  const own = new Place(address, { accessKeyId: 'AKIATEST', secretAccessKey: 'test' })
  const keys = await own.query('sts', 'us-east-1', 'AssumeRole', {
    RoleArn: `arn:aws:iam::${OTHER_ACCOUNT}:role/rollcall-reader`,
    RoleSessionName: 'estate',
  })
  const other = new Place(address, {
    accessKeyId: part(keys, 'AccessKeyId'),
    secretAccessKey: part(keys, 'SecretAccessKey'),
    sessionToken: part(keys, 'SessionToken'),
  })
  for (const place of [own, other])
    for (const region of REGIONS) await fill(place, region, place === own && region === REGIONS[0])
  return {
    accounts: [OWN_ACCOUNT, OTHER_ACCOUNT],
    async change(ended, stopped) {
      const listed = await own.query('ec2', REGIONS[0], 'DescribeInstances', { MaxResults: '1000' })
      const ids = [...listed.matchAll(/<instanceId>(i-[0-9a-f]+)</g)].map(([, id = '']) => id)
      const named = (of: readonly string[]) =>
        Object.fromEntries(of.map((id, n) => [`InstanceId.${n + 1}`, id]))
      await own.query('ec2', REGIONS[0], 'TerminateInstances', named(ids.slice(0, ended)))
      await own.query('ec2', REGIONS[0], 'StopInstances', named(ids.slice(ended, ended + stopped)))
    },
  }
}

async function fill(place: Place, region: string, isLarge: boolean): Promise<void> {
  const name = { 'TagSpecification.1.ResourceType': 'instance', 'TagSpecification.1.Tag.1.Key': 'Name' }
  const image = { ImageId: 'ami-03cf127a', MinCount: '1', MaxCount: '1', InstanceType: 't3.micro' }
  for (let n = 0; n < (isLarge ? 200 : 20); n += 1)
    await place.query('ec2', region, 'RunInstances', {
      ...image,
      ...name,
      'TagSpecification.1.Tag.1.Value': `web-${n}`,
    })
  const database = { MasterUsername: 'owner', MasterUserPassword: 'password1' }
  for (let n = 0; n < (isLarge ? 120 : 2); n += 1)
    await place.query('rds', region, 'CreateDBInstance', {
      DBInstanceIdentifier: `db-${n}`,
      DBInstanceClass: 'db.t3.micro',
      Engine: 'postgres',
      AllocatedStorage: '20',
      ...database,
    })
  const cluster = { DBClusterIdentifier: 'cluster-1', Engine: 'aurora-postgresql', ...database }
  await place.query('rds', region, 'CreateDBCluster', cluster)
  for (let n = 0; n < 3; n += 1) await place.makeBucket(region, `bucket-${place.tag}-${region}-${n}`)
  const role = await place.query('iam', region, 'CreateRole', {
    RoleName: `role-${region}`,
    AssumeRolePolicyDocument:
      '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"eks.amazonaws.com"},"Action":"sts:AssumeRole"}]}',
  })
  await place.post('eks', region, '/clusters', {
    name: `cluster-${region}`,
    roleArn: part(role, 'Arn'),
    resourcesVpcConfig: { subnetIds: [] },
  })
  for (let n = 0; n < (isLarge ? 60 : 2); n += 1)
    await place.post('lambda', region, '/2015-03-31/functions', {
      FunctionName: `function-${n}`,
      Role: part(role, 'Arn'),
      Runtime: 'nodejs22.x',
      Handler: 'index.handler',
      Code: { ZipFile: EMPTY_ZIP },
    })
}

const EMPTY_ZIP = 'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA=='

/** One account. */
class Place {
  readonly tag: string
  readonly #address: string
  readonly #client: AwsClient

  constructor(
    address: string,
    keys: { accessKeyId: string; secretAccessKey: string; sessionToken?: string },
  ) {
    this.#address = address
    this.#client = new AwsClient({ ...keys, retries: 0 })
    this.tag = keys.sessionToken === undefined ? 'own' : 'other'
  }

  query(
    service: keyof typeof API_VERSIONS,
    region: string,
    Action: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<string> {
    const body = new URLSearchParams({ Action, Version: API_VERSIONS[service], ...parameters }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return this.#send('/', { method: 'POST', headers, body, aws: { service, region } })
  }

  post(service: string, region: string, path: string, content: object): Promise<string> {
    const headers = { 'content-type': 'application/json' }
    return this.#send(path, {
      method: 'POST',
      headers,
      body: JSON.stringify(content),
      aws: { service, region },
    })
  }

  makeBucket(region: string, name: string): Promise<string> {
    const body =
      region === 'us-east-1'
        ? ''
        : `<CreateBucketConfiguration><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`
    return this.#send(`/${name}`, { method: 'PUT', body, aws: { service: 's3', region } })
  }

  async #send(path: string, request: Parameters<AwsClient['fetch']>[1]): Promise<string> {
    const response = await this.#client.fetch(this.#address + path, request)
    const text = await response.text()
    if (!response.ok) throw new Error(`moto: ${path} ${response.status} ${text.slice(0, 300)}`)
    return text
  }
}

const part = (xml: string, name: string): string => new RegExp(`<${name}>([^<]+)<`).exec(xml)?.[1] ?? ''
