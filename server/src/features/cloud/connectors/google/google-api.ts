import { under } from '../base-address.ts'
import { bearerTokens } from '../bearer-token.ts'
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
import { serviceAccountKey, signInGoogle } from './google-sign-in.ts'

export interface GoogleApi {
  /** `service` is the first part of the host: `compute` of compute.googleapis.com. */
  readonly get: (service: string, path: string, query: Query) => Promise<JsonObject>
  readonly post: (service: string, path: string, body: JsonObject) => Promise<JsonObject>
}

/** Values of one name are repeated. */
export type Query = Readonly<Record<string, string | readonly string[]>>

export function googleApi(session: Session): GoogleApi {
  const tokens = bearerTokens(session.now, () => signInGoogle(session))
  const { project } = serviceAccountKey(session.secrets['serviceAccountKey'] ?? '')
  const quota = session.settings['quotaProject'] ?? project
  const api: CloudApi = { authorize: () => tokens.header(), renew: tokens.forget, judge }
  const ask = async (
    service: string,
    path: string,
    call: Pick<CloudCall, 'method' | 'body'> & { query?: Query },
  ) => {
    const { query = {}, ...rest } = call
    const url = under(session.settings['apiAddress'] ?? `https://${service}.googleapis.com`, path)
    for (const [name, values] of Object.entries(query))
      for (const value of [values].flat()) url.searchParams.append(name, value)
    const answer = await callCloud(session, api, {
      ...rest,
      url,
      headers: {
        // whose quota is used, and whose list of enabled APIs counts
        ...(quota !== '' && { 'x-goog-user-project': quota }),
        ...(rest.body !== undefined && { 'content-type': 'application/json' }),
      },
      bucket: `gcp/${service}`,
      action: `${service}${path.replaceAll(/\/(projects|organizations|folders)\/[^/]+/g, '')}`,
    })
    return jsonOf(answer) ?? {}
  }
  return {
    get: (service, path, query) => ask(service, path, { method: 'GET', query }),
    post: (service, path, body) => ask(service, path, { method: 'POST', body: JSON.stringify(body) }),
  }
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
