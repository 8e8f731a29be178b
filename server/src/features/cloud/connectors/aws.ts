import { invalid, unreachable } from '#platform/errors.ts'
import { GLOBAL, resourceTypes, type ScopeKey, type SeenResource } from '../cloud-resource.ts'
import {
  accountsOf,
  credentialsIn,
  DEFAULT_ROLE,
  signedIn,
  type AwsAccount,
  type AwsSelf,
} from './aws/aws-accounts.ts'
import { awsApi, homeRegion, partitionOf } from './aws/aws-api.ts'
import { machinesOf } from './aws/aws-machines.ts'
import { awsCosts } from './aws/aws-costs.ts'
import type { AwsReading } from './aws/aws-reading.ts'
import { bucketsOf, clustersOf, databasesOf, functionsOf } from './aws/aws-resources.ts'
import { awsInstructions } from './aws/aws-setup.ts'
import { awsSignIns, refuseAnySubject } from './aws/aws-sign-in.ts'
import { addressField, checkAddresses } from './base-address.ts'
import { CloudFault } from './cloud-fault.ts'
import type { AccountFailure, Connector, Reading, ResourcePage, Session } from './connector.ts'
import { listAt, textAt } from './read-json.ts'

const partitions = ['aws', 'aws-cn', 'aws-us-gov']
const ROLE_ARN = /^arn:aws(-cn|-us-gov)?:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/

export const aws: Connector = {
  provider: 'AWS',
  fields: [
    {
      name: 'accounts',
      label: 'Accounts',
      help: 'Empty for the account that is signed in to; organization for all of it; else account ids, with commas between them',
    },
    { name: 'roleName', label: 'Role in other accounts', help: `${DEFAULT_ROLE} unless given` },
    {
      name: 'externalId',
      label: 'External id',
      help: 'Enter optional where a role may also be assumed without it; else such a role is refused',
    },
    { name: 'regions', label: 'Regions', help: 'Empty: all that are switched on' },
    { name: 'partition', label: 'Partition', help: `${partitions.join(', ')}; the first unless given` },
    addressField('apiAddress', 'Address of all services', 'https://SERVICE.REGION.amazonaws.com'),
  ],
  signIns: awsSignIns,
  instructions: awsInstructions,
  check(settings) {
    const {
      accounts = '',
      partition = 'aws',
      regions = '',
      roleName = DEFAULT_ROLE,
      externalId = '',
      roleArn,
    } = settings
    if (accounts !== '' && accounts !== 'organization' && !/^\d{12}([\s,]+\d{12})*$/.test(accounts))
      throw invalid('accounts', 'must be empty, organization, or ids of 12 digits')
    if (!partitions.includes(partition)) throw invalid('partition', `must be one of ${partitions.join(', ')}`)
    if (regions !== '' && !/^[a-z0-9-]+([\s,]+[a-z0-9-]+)*$/.test(regions))
      throw invalid('regions', 'must be names such as eu-west-1, with commas between them')
    if (!/^[\w+=,.@/-]{1,512}$/.test(roleName)) throw invalid('roleName', 'is no name of a role')
    if (externalId !== '' && externalId !== 'optional')
      throw invalid('externalId', 'must be empty or optional')
    if (roleArn !== undefined && !ROLE_ARN.test(roleArn))
      throw invalid('roleArn', 'must be written as arn:aws:iam::ACCOUNT:role/NAME')
    checkAddresses(settings)
  },
  costs: awsCosts,
  async plan(session) {
    await refuseAnySubject(session)
    const self = await signedIn(session)
    const readings: Reading[] = []
    const failures: AccountFailure[] = []
    for (const account of await accountsOf(session, self)) {
      try {
        readings.push(...(await readingsIn(session, self, account)))
      } catch (error) {
        if (!(error instanceof CloudFault)) throw error
        failures.push({ ...account, reason: error.message, isOpen: error.kind === 'open_role' })
      }
    }
    return { readings, failures }
  },
  async *read(session, { scopes }) {
    const isAlone = (session.settings['accounts'] ?? '') === ''
    const self = await signedIn(session, isAlone ? scopes[0]?.account : undefined)
    for (const scope of scopes) {
      const { account, region, type } = scope
      const credentials = await credentialsIn(session, self, account, { isChecked: false })
      const place = (service: string, at = region) => ({ service, region: at, account })
      const reading: AwsReading = {
        api: awsApi(session, credentials),
        scope: { account, region, type },
        place,
        arn: (service, resource) => `arn:${partitionOf(session)}:${service}:${region}:${account}:${resource}`,
      }
      yield* pagesFrom(session, reading)
    }
  },
}

/** Buckets are listed for all regions at once. */
async function readingsIn(
  session: Session,
  self: AwsSelf,
  { account, accountName }: AwsAccount,
): Promise<Reading[]> {
  const credentials = await credentialsIn(session, self, account, { isChecked: true })
  const wanted = (session.settings['regions'] ?? '').split(/[\s,]+/).filter((it) => it !== '')
  const answer = await awsApi(session, credentials).query(
    { service: 'ec2', region: homeRegion(session), account },
    'DescribeRegions',
    { AllRegions: 'false' },
  )
  const regions = listAt(answer, 'regionInfo', 'item')
    .map((it) => textAt(it, 'regionName'))
    .filter((it) => wanted.length === 0 || wanted.includes(it))
  const scopes: ScopeKey[] = [
    { account, region: GLOBAL, type: 'storage' },
    ...regions.flatMap((region) =>
      resourceTypes.filter((type) => type !== 'storage').map((type) => ({ account, region, type })),
    ),
  ]
  return scopes.map((it) => ({
    key: `${account}/${it.region}/${it.type}`,
    scopes: [{ ...it, accountName }],
  }))
}

async function* pagesFrom(session: Session, reading: AwsReading): AsyncIterable<ResourcePage> {
  for await (const resources of resourcesFrom(session, reading)) yield { resources }
}

function resourcesFrom(session: Session, reading: AwsReading): AsyncIterable<SeenResource[]> {
  const { type } = reading.scope
  switch (type) {
    case 'compute':
      return machinesOf(reading)
    case 'database':
      return databasesOf(reading)
    case 'storage':
      return bucketsOf(reading, homeRegion(session))
    case 'kubernetes':
      return clustersOf(reading)
    case 'function':
      return functionsOf(reading)
    case 'workload':
      throw new Error('AWS lists no workloads')
    default:
      return unreachable(type)
  }
}
