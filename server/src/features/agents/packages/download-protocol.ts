import { notFound } from '#platform/errors.ts'
import { countedAddress } from '#platform/http/client-address.ts'
import type { ProtocolReply, ProtocolRequest } from '#platform/protocols/protocol-routes.ts'
import { refuseOver } from '../tokens/token-authentication.ts'
import { makeArchive } from './agent-archive.ts'
import { nodeOf, nodePackageOf, platformNamed } from './agent-platforms.ts'

/** Limit for one address: a whole site may download from behind it. */
const DOWNLOADS_PER_MINUTE = 300

/**
 * `GET /agent/download/<platform>`: a gzipped tar with the folder `rollcall-agent`, made of the files of this installation, so
 * that it needs no internet. It holds no secret and is given to everybody. 404 for another platform, and for one whose Node
 * was not installed.
 */
export async function answerDownload(request: ProtocolRequest): Promise<ProtocolReply> {
  const platform = platformNamed(request.params['platform'] ?? '')
  if (request.method !== 'GET' || !platform) throw notFound('agent for this platform')
  if (platform !== 'any' && !nodeOf(platform))
    throw notFound(`agent for this platform (npm package ${nodePackageOf(platform)})`)
  await refuseOver(request.system, `agent download ${countedAddress(request.address)}`, DOWNLOADS_PER_MINUTE)
  const { size, content } = await request.once(`agent archive ${platform}`, () => makeArchive(platform))
  return {
    mediaType: 'application/gzip',
    content: content(),
    headers: {
      'content-length': String(size),
      'content-disposition': `attachment; filename="rollcall-agent-${platform}.tar.gz"`,
    },
  }
}
