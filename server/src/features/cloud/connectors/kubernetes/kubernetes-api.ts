import { under } from '../base-address.ts'
import {
  callCloud,
  jsonOf,
  type CloudAnswer,
  type CloudApi,
  type CloudCall,
  type Verdict,
} from '../cloud-request.ts'
import type { Session } from '../connector.ts'
import { pagesOf } from '../pages.ts'
import { listAt, textAt, type JsonObject } from '../read-json.ts'

/** More objects are not answered at once; pods of some clusters have 20 KB each. */
const PAGE_SIZE = '250'

export interface KubernetesApi {
  readonly get: (path: string) => Promise<JsonObject>
  /** All objects of a kind, page by page, of the state of the cluster at the first page. */
  readonly list: (path: string) => AsyncIterable<readonly unknown[]>
}

/** Kubernetes API, "Retrieving large results sets in chunks": `limit` and `continue`. */
export function kubernetesApi(session: Session): KubernetesApi {
  const { settings, secrets } = session
  const authorization = `Bearer ${secrets['token'] ?? ''}`
  const api: CloudApi = { authorize: async () => ({ authorization }), renew: () => {}, judge }
  const get = async (path: string, query: Readonly<Record<string, string>> = {}) => {
    const call: CloudCall = {
      method: 'GET',
      url: under(settings['apiAddress'] ?? '', path, query),
      headers: { accept: 'application/json' },
      ...(settings['certificateAuthority'] !== undefined && { ca: settings['certificateAuthority'] }),
      bucket: 'kubernetes',
      action: `GET ${path}`,
    }
    return jsonOf(await callCloud(session, api, call)) ?? {}
  }
  return {
    get,
    list: (path) =>
      pagesOf(async (token) => {
        const page = await get(path, { limit: PAGE_SIZE, ...(token !== undefined && { continue: token }) })
        return { items: listAt(page, 'items'), next: textAt(page, 'metadata', 'continue') }
      }),
  }
}

/** Faults are objects of kind Status. A `continue` token lasts some minutes; 410 Gone says that it has ended. */
function judge(answer: CloudAnswer, call: CloudCall): Verdict {
  const { status } = answer
  const body = jsonOf(answer)
  if (status === 200) return body ? { kind: 'ok' } : { kind: 'unavailable', message: 'the answer was cut' }
  const message = textAt(body, 'message') || `status ${status}`
  if (status === 401) return { kind: 'expired', message }
  if (status === 403) return { kind: 'not_allowed', message }
  if (status === 429) return { kind: 'throttled', message }
  if (status >= 500 || status === 408) return { kind: 'unavailable', message }
  const isLaterPage = call.url.searchParams.has('continue')
  return { kind: isLaterPage && (status === 410 || status === 400) ? 'page_refused' : 'bad_answer', message }
}
