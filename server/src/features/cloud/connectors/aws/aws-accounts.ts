import { CloudFault } from '../cloud-fault.ts'
import type { Session } from '../connector.ts'
import { pagesOf } from '../pages.ts'
import { listAt, objectAt, textAt, type JsonObject } from '../read-json.ts'
import { awsApi, partitionOf, type AwsApi, type AwsPlace } from './aws-api.ts'
import { lastingKeys, temporaryKeys, type AwsCredentials, type AwsKeys } from './aws-credentials.ts'

export const DEFAULT_ROLE = 'rollcall-reader'
/** The longest that AWS allows when a role is assumed by a role. */
const SESSION_SECONDS = 3_600
/** Where a partition answers for all of its regions. */
const homeRegions: Readonly<Record<string, string>> = {
  aws: 'us-east-1',
  'aws-cn': 'cn-north-1',
  'aws-us-gov': 'us-gov-west-1',
}

export interface AwsAccount {
  readonly account: string
  readonly accountName: string
}

export const homeRegion = (session: Session): string => homeRegions[partitionOf(session)] ?? 'us-east-1'

export const ownCredentials = ({ secrets, settings }: Session): AwsCredentials =>
  lastingKeys({
    accessKeyId: settings['accessKeyId'] ?? '',
    secretAccessKey: secrets['secretAccessKey'] ?? '',
  })

/** The account of the connection's own keys. */
export async function ownAccount(session: Session): Promise<AwsAccount> {
  const answer = await awsApi(session, ownCredentials(session)).query(stsOf(session), 'GetCallerIdentity', {})
  return { account: textAt(answer, 'GetCallerIdentityResult', 'Account'), accountName: '' }
}

/** The accounts that the settings name, the own one among them. */
export async function accountsOf(session: Session, own: AwsAccount): Promise<AwsAccount[]> {
  const wanted = session.settings['accounts'] ?? ''
  if (wanted === '') return [own]
  if (wanted === 'organization') return organisationOf(session)
  return wanted.split(/[\s,]+/).map((account) => ({ account, accountName: '' }))
}

async function organisationOf(session: Session): Promise<AwsAccount[]> {
  const api = awsApi(session, ownCredentials(session))
  const place: AwsPlace = { service: 'organizations', region: homeRegion(session), account: 'organization' }
  const pages = pagesOf(async (NextToken) => {
    const page = await api.json(place, 'AWSOrganizationsV20161128.ListAccounts', {
      MaxResults: 20,
      ...(NextToken !== undefined && { NextToken }),
    })
    return { items: listAt(page, 'Accounts'), next: textAt(page, 'NextToken') }
  })
  const found: AwsAccount[] = []
  for await (const page of pages)
    for (const it of page)
      // `State` came later and tells more than `Status`
      if ((textAt(it, 'State') || textAt(it, 'Status')) === 'ACTIVE')
        found.push({ account: textAt(it, 'Id'), accountName: textAt(it, 'Name') })
  return found
}

/**
 * Who reads an account: the connection itself in its own, a role elsewhere. A role that can be assumed without the
 * external id is refused: any other tenant could have it read by naming it.
 */
export async function credentialsIn(
  session: Session,
  account: string,
  { isChecked }: { readonly isChecked: boolean },
): Promise<AwsCredentials> {
  const isOwn = (session.settings['accounts'] ?? '') === '' || (await ownAccount(session)).account === account
  if (isOwn) return ownCredentials(session)
  const role = session.settings['roleName'] ?? DEFAULT_ROLE
  const RoleArn = `arn:${partitionOf(session)}:iam::${account}:role/${role}`
  const sts = awsApi(session, ownCredentials(session))
  if (isChecked && session.settings['externalId'] !== 'optional') await refuseOpenRole(sts, session, RoleArn)
  return temporaryKeys(session.now, () => assumed(sts, session, { RoleArn, ExternalId: session.externalId }))
}

async function refuseOpenRole(sts: AwsApi, session: Session, RoleArn: string): Promise<void> {
  const isOpen = await assumed(sts, session, { RoleArn }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof CloudFault && error.kind === 'not_allowed') return false
      throw error
    },
  )
  if (isOpen)
    throw new CloudFault(
      'not_allowed',
      `${RoleArn} can be assumed without the external id; add the condition sts:ExternalId to its trust policy`,
    )
}

async function assumed(
  sts: AwsApi,
  session: Session,
  parameters: Readonly<Record<string, string>>,
): Promise<{ readonly keys: AwsKeys; readonly until: number }> {
  const answer = await sts.query(stsOf(session), 'AssumeRole', {
    RoleSessionName: 'rollcall',
    DurationSeconds: String(SESSION_SECONDS),
    ...parameters,
  })
  return keysOf(objectAt(answer, 'AssumeRoleResult', 'Credentials'))
}

const keysOf = (credentials: JsonObject) => ({
  keys: {
    accessKeyId: textAt(credentials, 'AccessKeyId'),
    secretAccessKey: textAt(credentials, 'SecretAccessKey'),
    sessionToken: textAt(credentials, 'SessionToken'),
  },
  until: Date.parse(textAt(credentials, 'Expiration')),
})

const stsOf = (session: Session): AwsPlace => ({
  service: 'sts',
  region: homeRegion(session),
  account: 'sts',
})
