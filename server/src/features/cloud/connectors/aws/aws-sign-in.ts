import { CloudFault, isLetIn } from '../cloud-fault.ts'
import type { Session, SignIn } from '../connector.ts'
import {
  handedOut,
  hostIdentity,
  hostMetadata,
  hostMetadataJson,
  tokenOfContainer,
} from '../host-metadata.ts'
import { UNKNOWN_SUBJECT } from '../identity-token.ts'
import { objectAt, textAt, type JsonObject } from '../read-json.ts'
import { awsApi, homeRegion, type AwsApi, type AwsPlace } from './aws-api.ts'
import { lastingKeys, temporaryKeys, type AwsCredentials, type AwsKeys } from './aws-credentials.ts'

/** What the identity provider at AWS is to expect as the audience of our tokens. */
export const AWS_AUDIENCE = 'sts.amazonaws.com'
/** The longest that AWS allows when a role is assumed by a role. */
const SESSION_SECONDS = 3_600

export const awsSignIns: readonly SignIn[] = [
  {
    name: 'instance_profile',
    label: 'Role of the machine or container of this server',
    isOfHost: true,
    hides: ['apiAddress'],
    fields: [],
  },
  {
    name: 'web_identity',
    label: 'Role that trusts this server (no key)',
    fetchesKeys: true,
    fields: [
      {
        name: 'roleArn',
        label: 'Role',
        help: 'arn:aws:iam::ACCOUNT:role/NAME, which trusts the identity provider of this server',
        isRequired: true,
      },
    ],
  },
  {
    name: 'access_key',
    label: 'Access key',
    fields: [
      { name: 'accessKeyId', label: 'Access key id', isRequired: true },
      { name: 'secretAccessKey', label: 'Secret access key', isSecret: true, isRequired: true },
    ],
  },
]

/** Of the connection itself; roles in other accounts are assumed with them. */
export function ownCredentials(session: Session): AwsCredentials {
  const { signIn, settings, secrets } = session
  if (signIn === 'web_identity') return temporaryKeys(session.now, () => assumedByOurToken(session))
  if (signIn === 'instance_profile') return temporaryKeys(session.now, () => ofHost(session))
  return lastingKeys({
    accessKeyId: settings['accessKeyId'] ?? '',
    secretAccessKey: secrets['secretAccessKey'] ?? '',
  })
}

/** A role that trusts our issuer whatever the subject could be read by every tenant of this installation. */
export async function refuseAnySubject(session: Session): Promise<void> {
  if (session.signIn === 'web_identity' && (await isLetIn(assumedByOurToken(session, UNKNOWN_SUBJECT))))
    throw new CloudFault(
      'open_role',
      `${session.settings['roleArn']} trusts every subject of this installation; add the condition on sub to its trust policy`,
    )
}

interface AssumedRole {
  readonly keys: AwsKeys
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Of its container where it was given one, in the order of AWS's own libraries; else of the machine. */
async function ofHost(session: Session): Promise<AssumedRole> {
  const { awsRole, awsCredentials } = hostIdentity(session).workload
  if (awsRole)
    return assumedByToken(session, { role: awsRole.arn, token: await tokenOfContainer(awsRole.token) })
  if (awsCredentials) return handedOutRole(await handedOut(session, awsCredentials))
  return ofInstance(session)
}

/** IMDSv2: a token first, by PUT, which a request that was forged through a proxy cannot send. */
async function ofInstance(session: Session): Promise<AssumedRole> {
  const token = await hostMetadata(session, {
    method: 'PUT',
    path: '/latest/api/token',
    headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '60' },
  })
  const headers = { 'x-aws-ec2-metadata-token': token }
  const path = '/latest/meta-data/iam/security-credentials/'
  const [role = ''] = (await hostMetadata(session, { method: 'GET', path, headers })).split('\n')
  const found = await hostMetadataJson(session, {
    method: 'GET',
    path: path + encodeURIComponent(role),
    headers,
  })
  return handedOutRole(found)
}

const handedOutRole = (found: JsonObject): AssumedRole => ({
  keys: {
    accessKeyId: textAt(found, 'AccessKeyId'),
    secretAccessKey: textAt(found, 'SecretAccessKey'),
    sessionToken: textAt(found, 'Token'),
  },
  until: Date.parse(textAt(found, 'Expiration')),
})

/** With a token of our own issuer. */
const assumedByOurToken = async (session: Session, subject?: string): Promise<AssumedRole> =>
  assumedByToken(session, {
    role: session.settings['roleArn'] ?? '',
    token: await session.identityToken(AWS_AUDIENCE, subject),
  })

/** The call is not signed: the token is the authentication. */
async function assumedByToken(
  session: Session,
  { role, token }: { readonly role: string; readonly token: string },
): Promise<AssumedRole> {
  const action = 'AssumeRoleWithWebIdentity'
  const answer = await awsApi(session, undefined).query(stsOf(session), action, {
    RoleSessionName: 'rollcall',
    DurationSeconds: String(SESSION_SECONDS),
    RoleArn: role,
    WebIdentityToken: token,
  })
  return roleIn(objectAt(answer, `${action}Result`, 'Credentials'))
}

export async function assumed(
  sts: AwsApi,
  session: Session,
  parameters: Readonly<Record<string, string>>,
): Promise<AssumedRole> {
  const answer = await sts.query(stsOf(session), 'AssumeRole', {
    RoleSessionName: 'rollcall',
    DurationSeconds: String(SESSION_SECONDS),
    ...parameters,
  })
  return roleIn(objectAt(answer, 'AssumeRoleResult', 'Credentials'))
}

const roleIn = (credentials: JsonObject): AssumedRole => ({
  keys: {
    accessKeyId: textAt(credentials, 'AccessKeyId'),
    secretAccessKey: textAt(credentials, 'SecretAccessKey'),
    sessionToken: textAt(credentials, 'SessionToken'),
  },
  until: Date.parse(textAt(credentials, 'Expiration')),
})

export const stsOf = (session: Session): AwsPlace => ({
  service: 'sts',
  region: homeRegion(session),
  account: 'sts',
})
