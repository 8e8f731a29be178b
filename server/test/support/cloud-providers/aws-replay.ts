import { judgeToken, type TrustedIssuer } from './identity-token.ts'
import { pageOf, startReplay, type Replay, type ReplayAnswer, type ReplayCall } from './replay.ts'

/**
 * STS, Organizations, EC2, RDS, S3, EKS, Lambda and tagging of several accounts, all at one address. Answers are laid
 * out as in the API references; signatures are not checked beyond their scope.
 */
export interface AwsReplay extends Replay {
  readonly regions: string[]
  /** Of the account of the key, in the first region. */
  machines: AwsMachine[]
  pageSize: number
  /** Accounts whose role may be assumed without the external id. */
  readonly openRoles: string[]
  /** Accounts whose role may not be assumed at all. */
  readonly closedRoles: string[]
  /** Whose tokens the role of the own account takes. */
  trusted?: TrustedIssuer
}

export interface AwsMachine {
  readonly id: string
  readonly name: string
  readonly ip?: string
  readonly mac?: string
  readonly state?: string
}

export const OWN_ACCOUNT = '111111111111'
export const OTHER_ACCOUNT = '222222222222'
export const AWS_SECRET = 'a-secret-access-key'

export async function startAws(machines = 3): Promise<AwsReplay> {
  const replay = await startReplay((call) => answerTo(aws, call))
  const aws: AwsReplay = Object.assign(replay, {
    regions: ['eu-west-1', 'us-east-1'],
    machines: Array.from({ length: machines }, (_, n) => ({
      id: `i-0000000000000000${n}`,
      name: `ec2-${n}`,
      ip: `10.1.0.${n + 4}`,
    })),
    pageSize: 1_000,
    openRoles: [],
    closedRoles: [],
  })
  return aws
}

export const awsValues = ({ address }: Replay, more: Readonly<Record<string, string>> = {}) => ({
  accessKeyId: 'AKIAEXAMPLE',
  secretAccessKey: AWS_SECRET,
  apiAddress: address,
  ...more,
})

interface Scope {
  readonly account: string
  readonly region: string
  readonly service: string
}

/** Signature Version 4: `Credential=KEY/DATE/REGION/SERVICE/aws4_request`. */
function scopeOf({ headers }: ReplayCall): Scope | undefined {
  const found = /Credential=([^/]+)\/\d{8}\/([^/]+)\/([^/]+)\/aws4_request/.exec(headers.authorization ?? '')
  const [, key = '', region = '', service = ''] = found ?? []
  if (!found) return undefined
  return { account: key.startsWith('ASIA') ? key.slice(4) : OWN_ACCOUNT, region, service }
}

const xml = (root: string, content: string): ReplayAnswer => ({
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://example">${content}</${root}>`,
})
export const awsError = (status: number, code: string): ReplayAnswer => ({
  status,
  body: `<ErrorResponse><Error><Code>${code}</Code><Message>as told</Message></Error></ErrorResponse>`,
})

function answerTo(aws: AwsReplay, call: ReplayCall): ReplayAnswer | Promise<ReplayAnswer> {
  const form = new URLSearchParams(call.body)
  if (form.get('Action') === 'AssumeRoleWithWebIdentity') return byToken(aws, form)
  if (call.url.pathname.startsWith('/latest/')) return instanceMetadata(call)
  const scope = scopeOf(call)
  if (!scope) return awsError(403, 'MissingAuthenticationToken')
  const { service } = scope
  if (service === 'sts') return sts(aws, scope, form)
  if (service === 'ec2')
    return form.get('Action') === 'DescribeRegions'
      ? regions(aws)
      : instances(aws, scope, form.get('NextToken'))
  if (service === 'rds') return databases(scope, form.get('Action') ?? '')
  if (service === 's3') return xml('ListAllMyBucketsResult', buckets(scope))
  if (service === 'eks') return clusters(scope, call.url.pathname)
  if (service === 'lambda') return { body: { Functions: isHome(aws, scope) ? [functionOf(scope)] : [] } }
  if (service === 'organizations') return accounts(call)
  return {
    body: {
      ResourceTagMappingList: [{ ResourceARN: functionArn(scope), Tags: [{ Key: 'env', Value: 'prod' }] }],
    },
  }
}

/** The other types are in the first region alone. */
const isHome = (aws: AwsReplay, { region }: Scope): boolean => region === aws.regions[0]

function sts(aws: AwsReplay, { account }: Scope, form: URLSearchParams): ReplayAnswer {
  if (form.get('Action') === 'GetCallerIdentity')
    return xml(
      'GetCallerIdentityResponse',
      `<GetCallerIdentityResult><Account>${account}</Account></GetCallerIdentityResult>`,
    )
  const of = /::(\d{12}):/.exec(form.get('RoleArn') ?? '')?.[1] ?? ''
  const isLet = !aws.closedRoles.includes(of) && (form.has('ExternalId') || aws.openRoles.includes(of))
  return isLet ? assumedRole('AssumeRole', of) : awsError(403, 'AccessDenied')
}

/** IMDSv2 of an instance in the own account: nothing without its token. */
function instanceMetadata({ method, url, headers }: ReplayCall): ReplayAnswer {
  if (method === 'PUT' && url.pathname === '/latest/api/token') return { body: 'imds-token' }
  if (headers['x-aws-ec2-metadata-token'] !== 'imds-token') return { status: 401, body: '' }
  const path = '/latest/meta-data/iam/security-credentials/'
  if (url.pathname === path) return { body: 'rollcall' }
  if (url.pathname !== `${path}rollcall`) return { status: 404, body: '' }
  const Expiration = new Date(Date.now() + 3_600_000).toISOString()
  return { body: { AccessKeyId: `ASIA${OWN_ACCOUNT}`, SecretAccessKey: 's', Token: 't', Expiration } }
}

async function byToken({ trusted }: AwsReplay, form: URLSearchParams): Promise<ReplayAnswer> {
  const verdict = await judgeToken(form.get('WebIdentityToken') ?? '', trusted, 'sts.amazonaws.com')
  if (verdict === 'not verified') return awsError(400, 'InvalidIdentityToken')
  const of = /::(\d{12}):/.exec(form.get('RoleArn') ?? '')?.[1] ?? ''
  return verdict === 'let in' ? assumedRole('AssumeRoleWithWebIdentity', of) : awsError(403, 'AccessDenied')
}

function assumedRole(action: string, account: string): ReplayAnswer {
  const until = new Date(Date.now() + 3_600_000).toISOString()
  return xml(
    `${action}Response`,
    `<${action}Result><Credentials><AccessKeyId>ASIA${account}</AccessKeyId><SecretAccessKey>s</SecretAccessKey>
    <SessionToken>t</SessionToken><Expiration>${until}</Expiration></Credentials></${action}Result>`,
  )
}

const regions = ({ regions: names }: AwsReplay): ReplayAnswer =>
  xml(
    'DescribeRegionsResponse',
    `<regionInfo>${names.map((it) => `<item><regionName>${it}</regionName></item>`).join('')}</regionInfo>`,
  )

function instances(aws: AwsReplay, scope: Scope, token: string | null): ReplayAnswer {
  const all = isHome(aws, scope) && scope.account === OWN_ACCOUNT ? aws.machines : []
  const { items, next } = pageOf(all, aws.pageSize, token)
  const sets = items.map(
    (it) => `<item><ownerId>${scope.account}</ownerId><instancesSet>${instance(it)}</instancesSet></item>`,
  )
  return xml(
    'DescribeInstancesResponse',
    `<reservationSet>${sets.join('')}</reservationSet>${next ? `<nextToken>${next}</nextToken>` : ''}`,
  )
}

function instance({ id, name, ip, mac, state = 'running' }: AwsMachine): string {
  const address = ip
    ? `<privateIpAddress>${ip}</privateIpAddress><privateDnsName>ip-${ip.replaceAll('.', '-')}.ec2.internal</privateDnsName>`
    : ''
  return `<item><instanceId>${id}</instanceId><imageId>ami-2c</imageId><instanceState><code>16</code><name>${state}</name></instanceState>
    <instanceType>c4.large</instanceType><launchTime>2026-01-01T00:00:00.000Z</launchTime>${address}
    <platformDetails>Linux/UNIX</platformDetails>
    <networkInterfaceSet>${mac ? `<item><macAddress>${mac}</macAddress></item>` : ''}</networkInterfaceSet>
    <tagSet><item><key>Name</key><value>${name}</value></item></tagSet></item>`
}

function databases({ account, region }: Scope, action: string): ReplayAnswer {
  const [kind, status] =
    action === 'DescribeDBInstances' ? ['DBInstance', 'DBInstanceStatus'] : ['DBCluster', 'Status']
  const name = kind === 'DBInstance' ? 'db-1' : 'cluster-1'
  const one = `<${kind}><${kind}Identifier>${name}</${kind}Identifier><${kind}Arn>arn:aws:rds:${region}:${account}:${name}</${kind}Arn>
    <${status}>available</${status}><Engine>docdb</Engine><TagList><Tag><Key>env</Key><Value>prod</Value></Tag></TagList></${kind}>`
  const list = region === 'eu-west-1' ? one : ''
  return xml(`${action}Response`, `<${action}Result><${kind}s>${list}</${kind}s></${action}Result>`)
}

const buckets = ({ account }: Scope): string =>
  `<Buckets><Bucket><Name>bucket-${account}</Name><BucketRegion>eu-west-1</BucketRegion></Bucket></Buckets>`

function clusters({ account, region }: Scope, path: string): ReplayAnswer {
  if (path === '/clusters') return { body: { clusters: region === 'eu-west-1' ? ['eks-1'] : [] } }
  const arn = `arn:aws:eks:${region}:${account}:cluster/eks-1`
  return { body: { cluster: { name: 'eks-1', arn, status: 'ACTIVE', version: '1.31', tags: {} } } }
}

const functionArn = ({ account, region }: Scope): string => `arn:aws:lambda:${region}:${account}:function:f-1`
const functionOf = (scope: Scope) => ({
  FunctionName: 'f-1',
  FunctionArn: functionArn(scope),
  Runtime: 'nodejs24.x',
})

function accounts({ body }: ReplayCall): ReplayAnswer {
  const { NextToken } = JSON.parse(body) as { NextToken?: string }
  const all = [
    { Id: OWN_ACCOUNT, Name: 'management', State: 'ACTIVE', Status: 'ACTIVE' },
    { Id: OTHER_ACCOUNT, Name: 'security', Status: 'ACTIVE' },
    { Id: '333333333333', Name: 'suspended', State: 'SUSPENDED', Status: 'SUSPENDED' },
  ]
  const { items, next } = pageOf(all, 2, NextToken)
  return { body: { Accounts: items, ...(next && { NextToken: next }) } }
}
