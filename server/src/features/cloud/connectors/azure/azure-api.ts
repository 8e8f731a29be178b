import { under } from '../base-address.ts'
import { bearerTokens } from '../bearer-token.ts'
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
import { pagesOf } from '../pages.ts'
import { listAt, textAt, type JsonObject } from '../read-json.ts'
import { signInAzure } from './azure-sign-in.ts'

const API = 'https://management.azure.com'

export interface AzureApi {
  readonly get: (path: string, apiVersion: string) => Promise<JsonObject>
  /** `next` is the link of an answer to the same call, in place of the path. */
  readonly post: (path: string, apiVersion: string, body: JsonObject, next?: string) => Promise<JsonObject>
  /** Lists that lead on by `nextLink`. */
  readonly list: (path: string, apiVersion: string) => AsyncIterable<readonly unknown[]>
}

export function azureApi(session: Session): AzureApi {
  const base = session.settings['apiAddress'] ?? API
  const tokens = bearerTokens(session.now, () => signInAzure(session, base))
  const api: CloudApi = { authorize: () => tokens.header(), renew: tokens.forget, judge }
  const ask = async (call: CloudCall) => jsonOf(await callCloud(session, api, call)) ?? {}
  const get = (url: URL) =>
    ask({ method: 'GET', url, bucket: 'azure/manager', action: actionOf(url.pathname) })
  return {
    get: (path, version) => get(under(base, path, { 'api-version': version })),
    post: (path, version, body, next) =>
      ask({
        method: 'POST',
        url: next === undefined ? under(base, path, { 'api-version': version }) : sameOrigin(next, base),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        bucket: path.includes('/Microsoft.CostManagement/') ? 'azure/costs' : 'azure/graph',
        action: actionOf(path),
      }),
    list: (path, version) =>
      pagesOf(async (next) => {
        const url =
          next === undefined ? under(base, path, { 'api-version': version }) : sameOrigin(next, base)
        const page = await get(url)
        const after = textAt(page, 'nextLink')
        return { items: listAt(page, 'value'), ...(after !== '' && { next: after }) }
      }),
  }
}

/** The token is sent to nobody but the API, wherever a link of its answer leads. */
function sameOrigin(link: string, base: string): URL {
  const url = URL.parse(link)
  if (url?.origin !== new URL(base).origin)
    throw new CloudFault('bad_answer', 'the next page is said to be at another address')
  return url
}

/** Without ids, which differ from account to account. */
const actionOf = (path: string): string => /\/providers\/(.+)$/i.exec(path)?.[1] ?? path.slice(1)

/** Of Resource Manager and Resource Graph; codes as in the REST API reference of Azure. */
function judge(answer: CloudAnswer, call: CloudCall): Verdict {
  const { status } = answer
  const body = jsonOf(answer)
  if (status === 200) return body ? { kind: 'ok' } : { kind: 'unavailable', message: 'the answer was cut' }
  const code = textAt(body, 'error', 'code')
  const message =
    [code, textAt(body, 'error', 'message')].filter((it) => it !== '').join(': ') || `status ${status}`
  if (status === 401) return { kind: 'expired', message }
  if (status === 403) return { kind: 'not_allowed', message }
  if (status === 429) return { kind: 'throttled', message: code || 'too many requests' }
  if (status >= 500 || status === 408) return { kind: 'unavailable', message }
  const isLaterPage = call.body?.includes('"$skipToken"') === true || /skiptoken/i.test(call.url.search)
  return { kind: isLaterPage ? 'page_refused' : 'bad_answer', message }
}
