import type { MetadataAnswer } from '#platform/egress/metadata-call.ts'
import type { Metadata, MetadataCall } from '#platform/egress/metadata.ts'
import { FOREIGN_ADDRESS, foreignAddress } from './base-address.ts'
import { CloudFault } from './cloud-fault.ts'
import { jsonOf } from './cloud-request.ts'
import type { Session } from './connector.ts'
import type { JsonObject } from './read-json.ts'

/**
 * The identity of the host. Throws a CloudFault when it may not be used, also for a connection that was stored with an
 * address of its own.
 */
export function hostIdentity({ metadata, settings }: Session): Metadata {
  if (!metadata)
    throw new CloudFault(
      'sign_in',
      'sign-in as the machine of this server is off; its operator turns it on with CLOUD_METADATA=true',
    )
  const foreign = foreignAddress(settings)
  if (foreign) throw new CloudFault('sign_in', `sign-in: ${foreign} ${FOREIGN_ADDRESS}`)
  return metadata
}

/** What the metadata service of the host answers. Throws a CloudFault when it may not be asked or does not answer. */
export const hostMetadata = (session: Session, call: MetadataCall): Promise<string> =>
  answerOf(session, 'metadata service', () => hostIdentity(session).ask(call))

export async function hostMetadataJson(session: Session, call: MetadataCall): Promise<JsonObject> {
  return jsonIn(await hostMetadata(session, call))
}

/** What the platform of the container hands out, such as the agent of ECS. */
export async function handedOut(session: Session, ask: () => Promise<MetadataAnswer>): Promise<JsonObject> {
  return jsonIn(await answerOf(session, 'agent of the container', ask))
}

/** A token that the platform of the container keeps in a file. Throws a CloudFault when it cannot be read. */
export async function tokenOfContainer(token: () => Promise<string>): Promise<string> {
  const text = await token().catch((error: unknown) => {
    // the path is the operator's, not the tenant's
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw new CloudFault('sign_in', `sign-in: the token of the container cannot be read (${code})`)
  })
  if (text === '') throw new CloudFault('sign_in', 'sign-in: the file of the token of the container is empty')
  return text
}

async function answerOf(
  session: Session,
  asked: string,
  ask: () => Promise<MetadataAnswer>,
): Promise<string> {
  hostIdentity(session)
  const answer = await ask().catch(() => undefined)
  session.signal.throwIfAborted()
  if (!answer)
    throw new CloudFault('unavailable', `sign-in: no ${asked} answers; does this server run in that cloud?`)
  if (answer.status !== 200)
    throw new CloudFault(
      answer.status >= 500 || answer.status === 429 ? 'unavailable' : 'sign_in',
      `sign-in: the ${asked} answered ${answer.status}; is an identity attached to it?`,
    )
  return answer.text
}

function jsonIn(text: string): JsonObject {
  const body = jsonOf({ text })
  if (!body)
    throw new CloudFault('unavailable', 'sign-in: the metadata service answered something else than JSON')
  return body
}
