import { request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'

interface Tagged {
  readonly type: string
  readonly id: string
}

/** Makes a category and a tag in it, and gives it to an object, as the person at the vCenter would. */
export async function tagOne(port: number, object: Tagged, name: string): Promise<void> {
  const call = async (path: string, body: unknown, headers: Record<string, string>): Promise<unknown> => {
    const question = request({
      host: '127.0.0.1',
      port,
      path: `/rest/com/vmware/cis${path}`,
      method: 'POST',
      rejectUnauthorized: false,
      headers: { 'content-type': 'application/json', ...headers },
    })
    question.end(JSON.stringify(body))
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      question.once('response', resolve).once('error', reject),
    )
    const reported = await json(answer).catch(() => ({}))
    return (reported as { value?: unknown }).value
  }
  const basic = Buffer.from('scan@vsphere.local:secret').toString('base64')
  const session = await call('/session', {}, { authorization: `Basic ${basic}` })
  const headers = { 'vmware-api-session-id': String(session) }
  const category = { name: 'c', description: '', cardinality: 'SINGLE', associable_types: [] }
  const categoryId = await call('/tagging/category', { create_spec: category }, headers)
  const tag = { name, description: '', category_id: categoryId }
  const tagId = await call('/tagging/tag', { create_spec: tag }, headers)
  await call(`/tagging/tag-association/id:${String(tagId)}?~action=attach`, { object_id: object }, headers)
}
