import type { VSphere } from '../credential-access.ts'
import type { Https } from '../tls/https-client.ts'
import type { Ref } from './soap.ts'

/** Tags that people of the vCenter gave its objects; the web services do not know them, the REST API does. */
export interface Tags {
  /** Tag names by the object's managed object id. Empty where the server has none or refuses them. */
  readonly of: (objects: readonly Ref[]) => Promise<ReadonlyMap<string, readonly string[]>>
  readonly close: () => Promise<void>
}

const BASE = '/rest/com/vmware/cis'
const NAMES_MAX = 5_000
const NONE: ReadonlyMap<string, readonly string[]> = new Map()

export const noTags: Tags = { of: () => Promise.resolve(NONE), close: () => Promise.resolve() }

/** Signs in a second time, as that API wants it. A server that has no such API, or breaks off, has no tags. */
export async function openTags(https: Https, { username, password }: VSphere): Promise<Tags> {
  const basic = Buffer.from(`${username}:${password}`).toString('base64')
  const session = await valueOf(https, 'POST', '/session', { authorization: `Basic ${basic}` })
  if (typeof session !== 'string' || !/^[\w-]{1,256}$/.test(session)) return noTags
  const headers = { 'vmware-api-session-id': session }
  const names = new Map<string, string | undefined>()
  const nameOf = async (id: string): Promise<string | undefined> => {
    if (!names.has(id) && names.size < NAMES_MAX)
      names.set(id, nameIn(await valueOf(https, 'GET', `/tagging/tag/id:${encodeURIComponent(id)}`, headers)))
    return names.get(id)
  }
  let isAnswering = true
  return {
    async of(objects) {
      if (!isAnswering || objects.length === 0) return NONE
      const body = JSON.stringify({ object_ids: objects.map(({ type, value }) => ({ type, id: value })) })
      const path = '/tagging/tag-association?~action=list-attached-tags-on-objects'
      const found = await valueOf(https, 'POST', path, headers, body)
      if (!Array.isArray(found)) isAnswering = false
      const tags = new Map<string, string[]>()
      for (const { object, ids } of attachmentsIn(found)) {
        const given: string[] = []
        for (const id of ids) given.push((await nameOf(id)) ?? '')
        tags.set(
          object,
          given.filter((name) => name !== ''),
        )
      }
      return tags
    },
    close: async () => void (await valueOf(https, 'DELETE', '/session', headers)),
  }
}

/** The `value` of the answer; undefined where there is none. */
async function valueOf(
  https: Https,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  ...[headers, body]: readonly [Readonly<Record<string, string>>, string?]
): Promise<unknown> {
  try {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const question = { method, path: `${BASE}${path}`, headers: { ...headers, ...type } }
    const { status, text } = await https.ask({ ...question, ...(body !== undefined && { body }) })
    const answer: unknown = status === 200 && text !== '' ? JSON.parse(text) : undefined
    return isObject(answer) ? answer.value : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const nameIn = (tag: unknown): string | undefined =>
  isObject(tag) && typeof tag.name === 'string' ? tag.name : undefined

function attachmentsIn(found: unknown): { readonly object: string; readonly ids: readonly string[] }[] {
  return (Array.isArray(found) ? found : []).flatMap((each: unknown) => {
    const object = isObject(each) && isObject(each.object_id) ? each.object_id.id : undefined
    const ids = isObject(each) && Array.isArray(each.tag_ids) ? (each.tag_ids as unknown[]) : []
    return typeof object === 'string' ? [{ object, ids: ids.filter((id) => typeof id === 'string') }] : []
  })
}
