import type { MetadataCall } from '#platform/egress/metadata.ts'
import { FOREIGN_ADDRESS, foreignAddress } from './base-address.ts'
import { CloudFault } from './cloud-fault.ts'
import { jsonOf } from './cloud-request.ts'
import type { Session } from './connector.ts'
import type { JsonObject } from './read-json.ts'

/**
 * What the metadata service of the host answers. Throws a CloudFault when it may not be asked, also for a connection
 * that was stored with an address of its own, or does not answer.
 */
export async function hostMetadata(session: Session, call: MetadataCall): Promise<string> {
  if (!session.metadata)
    throw new CloudFault(
      'sign_in',
      'sign-in as the machine of this server is off; its operator turns it on with CLOUD_METADATA=true',
    )
  const foreign = foreignAddress(session.settings)
  if (foreign) throw new CloudFault('sign_in', `sign-in: ${foreign} ${FOREIGN_ADDRESS}`)
  const answer = await session.metadata.ask(call).catch(() => undefined)
  session.signal.throwIfAborted()
  if (!answer)
    throw new CloudFault(
      'unavailable',
      'sign-in: no metadata service answers; does this server run in that cloud?',
    )
  if (answer.status !== 200)
    throw new CloudFault(
      answer.status >= 500 || answer.status === 429 ? 'unavailable' : 'sign_in',
      `sign-in: the metadata service answered ${answer.status}; is an identity attached to the machine?`,
    )
  return answer.text
}

export async function hostMetadataJson(session: Session, call: MetadataCall): Promise<JsonObject> {
  const body = jsonOf({ text: await hostMetadata(session, call) })
  if (!body)
    throw new CloudFault('unavailable', 'sign-in: the metadata service answered something else than JSON')
  return body
}
