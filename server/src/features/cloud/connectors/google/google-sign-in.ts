import { createPrivateKey } from 'node:crypto'
import { under } from '../base-address.ts'
import type { BearerToken } from '../bearer-token.ts'
import { CloudFault, isLetIn } from '../cloud-fault.ts'
import { callCloud, jsonOf, type CloudApi, type CloudCall } from '../cloud-request.ts'
import type { Session, SignIn } from '../connector.ts'
import { hostMetadataJson } from '../host-metadata.ts'
import { UNKNOWN_SUBJECT } from '../identity-token.ts'
import { textAt, type JsonObject } from '../read-json.ts'
import { signedToken } from '../signed-token.ts'

const TOKENS = 'https://oauth2.googleapis.com/token'
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
/** RFC 7523 §2.1 */
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const ASSERTION_SECONDS = 600

export const POOL_PROVIDER =
  /^projects\/\d+\/locations\/global\/workloadIdentityPools\/[a-z0-9-]+\/providers\/[a-z0-9-]+$/

export const googleSignIns: readonly SignIn[] = [
  {
    name: 'metadata_server',
    label: 'Service account of the machine of this server',
    isOfHost: true,
    hides: ['tokenAddress', 'apiAddress'],
    fields: [],
  },
  {
    name: 'workload_identity',
    label: 'Workload identity federation (no key)',
    fields: [
      {
        name: 'poolProvider',
        label: 'Provider of the workload identity pool',
        help: 'projects/NUMBER/locations/global/workloadIdentityPools/POOL/providers/PROVIDER',
        isRequired: true,
      },
      {
        name: 'serviceAccount',
        label: 'Service account',
        help: 'Its address; its roles are what may be read',
        isRequired: true,
      },
    ],
  },
  {
    name: 'service_account_key',
    label: 'Service account key',
    fields: [
      {
        name: 'serviceAccountKey',
        label: 'Key file (JSON)',
        isSecret: true,
        isRequired: true,
        isLong: true,
      },
    ],
  },
]

export interface ServiceAccountKey {
  readonly email: string
  readonly privateKey: string
  readonly keyId: string
  readonly project: string
}

/** The file that Google gives for a service account. Fields are empty where the text is none. */
export function serviceAccountKey(text: string): ServiceAccountKey {
  const key = jsonOf({ text })
  return {
    email: textAt(key, 'client_email'),
    privateKey: textAt(key, 'private_key'),
    keyId: textAt(key, 'private_key_id'),
    project: textAt(key, 'project_id'),
  }
}

/** Whether a token can be signed with it. */
export function canSign({ email, privateKey }: ServiceAccountKey): boolean {
  try {
    return email !== '' && createPrivateKey(privateKey).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

export function signInGoogle(session: Session): Promise<BearerToken> {
  if (session.signIn === 'metadata_server') return ofMachine(session)
  return session.signIn === 'workload_identity' ? impersonated(session) : signedByKey(session)
}

async function ofMachine(session: Session): Promise<BearerToken> {
  const path = '/computeMetadata/v1/instance/service-accounts/default/token'
  const headers = { 'metadata-flavor': 'Google' }
  return tokenIn(session, await hostMetadataJson(session, { method: 'GET', path, headers }))
}

const tokenIn = (session: Session, token: JsonObject): BearerToken => ({
  value: textAt(token, 'access_token'),
  until: session.now().getTime() + Number(textAt(token, 'expires_in')) * 1_000,
})

/** A service account that every subject of the pool may use could be used by every tenant of this installation. */
export async function refuseAnySubject(session: Session): Promise<void> {
  if (session.signIn === 'workload_identity' && (await isLetIn(impersonated(session, UNKNOWN_SUBJECT))))
    throw new CloudFault(
      'open_role',
      `${session.settings['serviceAccount']} may be used by every subject of the pool; grant roles/iam.workloadIdentityUser to the subject of this connection alone`,
    )
}

/** Our token for one of the pool (RFC 8693), and that for one of the service account. */
async function impersonated(session: Session, subject?: string): Promise<BearerToken> {
  const { poolProvider = '', serviceAccount = '' } = session.settings
  const provider = `//iam.googleapis.com/${poolProvider}`
  const exchanged = await post(session, {
    service: 'sts',
    path: '/v1/token',
    body: {
      grantType: 'urn:ietf:params:oauth:grant-type:token-exchange',
      audience: provider,
      scope: SCOPE,
      requestedTokenType: 'urn:ietf:params:oauth:token-type:access_token',
      subjectTokenType: 'urn:ietf:params:oauth:token-type:jwt',
      subjectToken: await session.identityToken(`https:${provider}`, subject),
    },
  })
  const token = await post(session, {
    service: 'iamcredentials',
    path: `/v1/projects/-/serviceAccounts/${encodeURIComponent(serviceAccount)}:generateAccessToken`,
    body: { scope: [SCOPE] },
    headers: { authorization: `Bearer ${textAt(exchanged, 'access_token')}` },
  })
  return { value: textAt(token, 'accessToken'), until: Date.parse(textAt(token, 'expireTime')) }
}

interface SignInCall {
  readonly service: 'sts' | 'iamcredentials'
  readonly path: string
  readonly body: JsonObject
  readonly headers?: Readonly<Record<string, string>>
}

async function post(session: Session, { service, path, body, headers }: SignInCall): Promise<JsonObject> {
  const call: CloudCall = {
    method: 'POST',
    url: under(session.settings['apiAddress'] ?? `https://${service}.googleapis.com`, path),
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    bucket: 'gcp/sign-in',
    action: service === 'sts' ? 'sign-in by the workload identity pool' : 'sign-in as the service account',
  }
  return jsonOf(await callCloud(session, signInApi, call)) ?? {}
}

async function signedByKey(session: Session): Promise<BearerToken> {
  const key = serviceAccountKey(session.secrets['serviceAccountKey'] ?? '')
  const address = session.settings['tokenAddress'] ?? TOKENS
  const now = Math.floor(session.now().getTime() / 1_000)
  const claims = { iss: key.email, scope: SCOPE, aud: address, iat: now, exp: now + ASSERTION_SECONDS }
  const answer = await callCloud(session, signInApi, {
    method: 'POST',
    url: new URL(address),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: JWT_BEARER, assertion: assertionOf(key, claims) }).toString(),
    bucket: 'gcp/sign-in',
    action: 'sign-in',
  })
  return tokenIn(session, jsonOf(answer) ?? {})
}

function assertionOf(key: ServiceAccountKey, claims: JsonObject): string {
  try {
    return signedToken(key, claims)
  } catch {
    // the reason might quote the key
    throw new CloudFault('sign_in', 'sign-in: the private key of the service account cannot be used')
  }
}

/** Token endpoints tell errors as OAuth 2.0 does, IAM Credentials as google.rpc.Status. */
const signInApi: CloudApi = {
  authorize: async () => ({}),
  renew: () => {},
  judge(answer) {
    const { status } = answer
    const body = jsonOf(answer)
    if (status === 200 && (textAt(body, 'access_token') || textAt(body, 'accessToken')) !== '')
      return { kind: 'ok' }
    if (status === 429) return { kind: 'throttled', message: 'too many sign-ins' }
    if (status >= 500) return { kind: 'unavailable', message: `status ${status}` }
    const said = [textAt(body, 'error'), textAt(body, 'error_description'), textAt(body, 'error', 'message')]
    const message = said.filter((it) => it !== '').join(': ') || `status ${status}`
    return { kind: status === 403 ? 'not_allowed' : 'sign_in', message }
  },
}
