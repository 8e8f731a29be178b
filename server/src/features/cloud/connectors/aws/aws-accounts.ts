import { CloudFault, isLetIn } from '../cloud-fault.ts'
import type { Session } from '../connector.ts'
import { pagesOf } from '../pages.ts'
import { listAt, textAt } from '../read-json.ts'
import { awsApi, homeRegion, partitionOf, type AwsApi, type AwsPlace } from './aws-api.ts'
import { temporaryKeys, type AwsCredentials } from './aws-credentials.ts'
import { assumed, ownCredentials, stsOf } from './aws-sign-in.ts'

export const DEFAULT_ROLE = 'rollcall-reader'

export interface AwsAccount {
  readonly account: string
  readonly accountName: string
}

/** Who a connection is by its way of signing in, and in which account. */
export interface AwsSelf extends AwsAccount {
  readonly credentials: AwsCredentials
}

/** Asks for the account, unless it is known: without other accounts, that of every scope is the own one. */
export async function signedIn(session: Session, known?: string): Promise<AwsSelf> {
  const credentials = ownCredentials(session)
  if (known !== undefined) return { account: known, accountName: '', credentials }
  const answer = await awsApi(session, credentials).query(stsOf(session), 'GetCallerIdentity', {})
  return { account: textAt(answer, 'GetCallerIdentityResult', 'Account'), accountName: '', credentials }
}

/** The accounts that the settings name, the own one among them. */
export async function accountsOf(session: Session, self: AwsSelf): Promise<AwsAccount[]> {
  const wanted = session.settings['accounts'] ?? ''
  if (wanted === '') return [{ account: self.account, accountName: '' }]
  if (wanted === 'organization') return organisationOf(session, self)
  return wanted.split(/[\s,]+/).map((account) => ({ account, accountName: '' }))
}

async function organisationOf(session: Session, { credentials }: AwsSelf): Promise<AwsAccount[]> {
  const api = awsApi(session, credentials)
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
  self: AwsSelf,
  account: string,
  { isChecked }: { readonly isChecked: boolean },
): Promise<AwsCredentials> {
  if (self.account === account) return self.credentials
  const role = session.settings['roleName'] ?? DEFAULT_ROLE
  const RoleArn = `arn:${partitionOf(session)}:iam::${account}:role/${role}`
  const sts = awsApi(session, self.credentials)
  if (isChecked && session.settings['externalId'] !== 'optional') await refuseOpenRole(sts, session, RoleArn)
  return temporaryKeys(session.now, () => assumed(sts, session, { RoleArn, ExternalId: session.externalId }))
}

async function refuseOpenRole(sts: AwsApi, session: Session, RoleArn: string): Promise<void> {
  if (await isLetIn(assumed(sts, session, { RoleArn })))
    throw new CloudFault(
      'open_role',
      `${RoleArn} can be assumed without the external id; add the condition sts:ExternalId to its trust policy`,
    )
}
