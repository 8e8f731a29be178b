import { createPrivateKey, sign } from 'node:crypto'
import { under } from '../base-address.ts'
import { bearerTokens, type BearerToken } from '../bearer-token.ts'
import { CloudFault } from '../cloud-fault.ts'
import {
  callCloud,
  jsonOf,
  type CloudAnswer,
  type CloudApi,
  type CloudCall,
  type Verdict,
} from '../cloud-request.ts'
import type { Session } from '../connector.ts'
import { listAt, textAt, type JsonObject } from '../read-json.ts'

const TOKENS = 'https://oauth2.googleapis.com/token'
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
/** RFC 7523 §2.1 */
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const ASSERTION_SECONDS = 600

export interface GoogleApi {
  /** `service` is the first part of the host: `compute` of compute.googleapis.com. */
  readonly get: (service: string, path: string, query: Query) => Promise<JsonObject>
}

/** Values of one name are repeated. */
export type Query = Readonly<Record<string, string | readonly string[]>>

export function googleApi(session: Session): GoogleApi {
  const key = serviceAccountKey(session.secrets['serviceAccountKey'] ?? '')
  const tokens = bearerTokens(session.now, () => signIn(session, key))
  const quota = session.settings['quotaProject'] ?? key.project
  const api: CloudApi = { authorize: () => tokens.header(), renew: tokens.forget, judge }
  return {
    async get(service, path, query) {
      const url = under(session.settings['apiAddress'] ?? `https://${service}.googleapis.com`, path)
      for (const [name, values] of Object.entries(query))
        for (const value of [values].flat()) url.searchParams.append(name, value)
      const answer = await callCloud(session, api, {
        method: 'GET',
        url,
        // whose quota is used, and whose list of enabled APIs counts
        headers: quota === '' ? {} : { 'x-goog-user-project': quota },
        bucket: `gcp/${service}`,
        action: `${service}${path.replaceAll(/\/(projects|organizations|folders)\/[^/]+/g, '')}`,
      })
      return jsonOf(answer) ?? {}
    },
  }
}

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

async function signIn(session: Session, key: ServiceAccountKey): Promise<BearerToken> {
  const address = session.settings['tokenAddress'] ?? TOKENS
  const now = Math.floor(session.now().getTime() / 1_000)
  const claims = { iss: key.email, scope: SCOPE, aud: address, iat: now, exp: now + ASSERTION_SECONDS }
  const answer = await callCloud(session, signInApi, {
    method: 'POST',
    url: new URL(address),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: JWT_BEARER, assertion: signedToken(key, claims) }).toString(),
    bucket: 'gcp/sign-in',
    action: 'sign-in',
  })
  const token = jsonOf(answer) ?? {}
  return {
    value: textAt(token, 'access_token'),
    until: session.now().getTime() + Number(textAt(token, 'expires_in')) * 1_000,
  }
}

/** RFC 7515 §3.1, RS256. */
function signedToken({ privateKey, keyId }: ServiceAccountKey, claims: JsonObject): string {
  const part = (value: JsonObject) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'RS256', typ: 'JWT', ...(keyId !== '' && { kid: keyId }) })}.${part(claims)}`
  try {
    return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
  } catch {
    // the reason might quote the key
    throw new CloudFault('sign_in', 'sign-in: the private key of the service account cannot be used')
  }
}

const signInApi: CloudApi = {
  authorize: async () => ({}),
  renew: () => {},
  judge(answer) {
    const body = jsonOf(answer)
    if (answer.status === 200 && textAt(body, 'access_token') !== '') return { kind: 'ok' }
    if (answer.status === 429) return { kind: 'throttled', message: 'too many sign-ins' }
    if (answer.status >= 500) return { kind: 'unavailable', message: `status ${answer.status}` }
    const said = [textAt(body, 'error'), textAt(body, 'error_description')].filter((it) => it !== '')
    return { kind: 'sign_in', message: said.join(': ') || `status ${answer.status}` }
  },
}

/** Google's error model: google.rpc.Status, with `errors[].reason` in the older APIs. */
function judge(answer: CloudAnswer, call: CloudCall): Verdict {
  const { status } = answer
  const body = jsonOf(answer)
  if (status === 200) return body ? { kind: 'ok' } : { kind: 'unavailable', message: 'the answer was cut' }
  const message = textAt(body, 'error', 'message') || `status ${status}`
  const reasons = [...listAt(body, 'error', 'errors'), ...listAt(body, 'error', 'details')].map((it) =>
    textAt(it, 'reason'),
  )
  if (status === 401) return { kind: 'expired', message }
  if (status === 429) return { kind: 'throttled', message }
  if (status === 403 && reasons.some((it) => /^(userR|r)ateLimitExceeded$|^RATE_LIMIT_EXCEEDED$/.test(it)))
    return { kind: 'throttled', message }
  if (reasons.some((it) => it === 'SERVICE_DISABLED' || it === 'accessNotConfigured'))
    return { kind: 'service_off', message: `the API is switched off: ${message}` }
  if (status === 403) return { kind: 'not_allowed', message }
  if (status >= 500 || status === 408) return { kind: 'unavailable', message }
  return { kind: call.url.searchParams.has('pageToken') ? 'page_refused' : 'bad_answer', message }
}
