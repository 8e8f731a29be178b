import { invalidBody, notFound } from '#platform/errors.ts'
import type { ProtocolReply, ProtocolRequest, ProtocolRoute } from '#platform/protocols/protocol-routes.ts'
import { noteContact, receiveDevices, receiveInventory } from './agents.ts'
import type { AgentKind } from './agent.ts'
import { readJsonMessage } from './messages/json-message.ts'
import type { Message } from './messages/message.ts'
import { readXmlMessage } from './messages/xml-message.ts'
import { answerFleetHost, answerOsquery } from './osquery/osquery-protocol.ts'
import { answerDownload } from './packages/download-protocol.ts'
import * as replies from './receiving/replies.ts'
import { answerAgent } from './signed/signed-protocol.ts'
import { TOKEN_FORM } from './tokens/enrolment-token.ts'
import { answerUpdate } from './updates/update-protocol.ts'
import { authenticate } from './tokens/token-authentication.ts'

const TOKEN_PATH = `/t/:token(^${TOKEN_FORM}$)`

/**
 * Where our own agent reports and is downloaded, and where agents of the GLPI, FusionInventory and OCS families report: any
 * path below the token, and the paths of their own servers with the token as password. Headers and body tell which protocol
 * it is. osquery has paths of its own.
 */
export const protocols: readonly ProtocolRoute[] = [
  { path: '/agent/v1/:call', handle: answerAgent },
  { path: '/agent/v1/update/:version/:platform', handle: answerUpdate },
  { path: '/agent/download/:platform', handle: answerDownload },
  { path: `${TOKEN_PATH}/osquery/*`, handle: answerOsquery },
  ...[
    TOKEN_PATH,
    `${TOKEN_PATH}/*`,
    '/ocsinventory',
    '/front/inventory.php',
    '/marketplace/glpiinventory/*',
    '/plugins/glpiinventory/*',
    '/plugins/fusioninventory/*',
  ].map((path) => ({ path, handle: receive })),
]

/** The paths of Fleet's own server, which below `/api/v1` would be those of our API. */
export const protocolsApart: readonly ProtocolRoute[] = ['/api/v1/osquery/*', '/api/osquery/*'].map(
  (path) => ({ path, handle: answerFleetHost }),
)

async function receive(request: ProtocolRequest): Promise<ProtocolReply> {
  const token = await authenticate(request)
  if (request.method === 'GET') return answerQuestion(request)
  const message = readMessage(await request.body())
  const { kind, version } = agentOf(request, message)
  const sender = { token, kind, version, address: request.address }
  if (message.action === 'inventory') await receiveInventory(sender, { ...message, kind, version })
  else if (message.action === 'devices') await receiveDevices(sender, message)
  else await noteContact(sender, message.deviceId)
  return withRequestId(request, answerTo(message, kind))
}

function readMessage(bytes: Buffer): Message {
  if (bytes.length === 0) throw invalidBody('body: is empty')
  return firstCharacter(bytes) === '{' ? readJsonMessage(bytes) : readXmlMessage(bytes)
}

const firstCharacter = (bytes: Buffer): string => bytes.subarray(0, 100).toString('latin1').trim().charAt(0)

/** By the headers that only these programs send; `OCS-NG_unified_unix_agent_v2.10.0`, `GLPI-Agent_v1.12`. */
function agentOf({ headers }: ProtocolRequest, { writtenIn }: Message): { kind: AgentKind; version: string } {
  const userAgent = headers['user-agent'] ?? ''
  const version = /_v?(\d[\w.-]{0,40})/.exec(userAgent)?.[1] ?? ''
  if (headers['glpi-agent-id'] !== undefined || /^glpi-agent/i.test(userAgent) || writtenIn === 'json')
    return { kind: 'glpi', version }
  const isOcs = /^ocs/i.test(userAgent) || headers['content-type'] === replies.OCS_TYPE
  return { kind: isOcs ? 'ocs' : 'fusioninventory', version }
}

function answerTo({ action, writtenIn }: Message, kind: AgentKind): ProtocolReply {
  const mediaType = kind === 'ocs' ? replies.OCS_TYPE : replies.FUSION_TYPE
  switch (action) {
    case 'prolog':
      return kind === 'glpi' ? replies.goOnInJson() : replies.sendInventory(mediaType)
    case 'contact':
      return replies.contactAnswer()
    case 'inventory':
    case 'devices':
      return writtenIn === 'json' ? replies.inventoryTaken() : replies.xmlTaken(mediaType)
  }
}

/** GLPI agents match answers to questions by it. */
function withRequestId({ headers }: ProtocolRequest, reply: ProtocolReply): ProtocolReply {
  const id = headers['glpi-request-id']
  return typeof id === 'string' && /^[0-9A-F]{8}$/i.test(id)
    ? { ...reply, headers: { 'glpi-request-id': id } }
    : reply
}

function answerQuestion({ query }: ProtocolRequest): ProtocolReply {
  if (query.get('action') === 'getConfig') return replies.noConfiguration()
  throw notFound('page')
}
