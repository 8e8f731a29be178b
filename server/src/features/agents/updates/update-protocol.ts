import { Readable } from 'node:stream'
import { notFound } from '#platform/errors.ts'
import type { ProtocolReply, ProtocolRequest } from '#platform/protocols/protocol-routes.ts'
import { authenticateAgent } from '../signed/agent-authentication.ts'
import { releaseArchive } from './releases.ts'

/** `GET /agent/v1/update/<version>/<platform>`, signed: the archive of a release that agents are told of now. */
export async function answerUpdate(request: ProtocolRequest): Promise<ProtocolReply> {
  if (request.method !== 'GET') throw notFound('page')
  await authenticateAgent(request)
  const { version = '', platform = '' } = request.params
  const { size, content } = await releaseArchive(request.system, version, platform)
  return {
    mediaType: 'application/gzip',
    content: Readable.from(content),
    headers: { 'content-length': String(size) },
  }
}
