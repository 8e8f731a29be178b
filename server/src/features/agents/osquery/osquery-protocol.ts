import type { Ctx } from '#platform/context.ts'
import { invalid, invalidBody, notFound } from '#platform/errors.ts'
import type { ProtocolReply, ProtocolRequest } from '#platform/protocols/protocol-routes.ts'
import { enrolHost, hostOfNodeKey, isDue, takeResults } from '../agents.ts'
import type { EnrolledHost } from '../agent-store.ts'
import { cleanText, DEVICE_ID_LENGTH_MAX, ROWS_MAX, type Row } from '../messages/message.ts'
import type { Sender } from '../receiving/receive-inventory.ts'
import {
  authenticate,
  authenticateEnrolSecret,
  authenticateKey,
  isAddressOfHost,
  noteAddress,
  refuseOverUnknown,
  type TokenContext,
} from '../tokens/token-authentication.ts'
import { restingQueries } from './failing-queries.ts'
import { fleetNodeKey, nodeKeyIn } from './fleet-node-key.ts'
import type { HostResults } from './host-content.ts'
import { discoveryOf, hostQueries } from './queries.ts'

/** Their bodies hold results of queries. */
const LARGE: ReadonlySet<string> = new Set(['log', 'distributed/write'])
/** Length of the other bodies at the paths of Fleet, which say who sends them. */
const SMALL_OCTETS_MAX = 65_536
/** In seconds. */
const OPTIONS = { distributed_interval: 300, logger_tls_period: 60, logger_tls_compress: true }

/**
 * The endpoints of osquery's TLS plugins (https://osquery.readthedocs.io/en/stable/deployment/remote/): enroll, config, log
 * and distributed queries. A host whose key is not known is told `node_invalid`, whereupon it enrols again. Inventory goes by
 * distributed queries, which tell a state; what hosts log is taken and not kept, else they would send it again.
 */
export async function answerOsquery(request: ProtocolRequest): Promise<ProtocolReply> {
  const token = await authenticate(request)
  const path = pathOf(request)
  const body = parsed(await request.body())
  const sender = senderOf(request, token)
  if (path === 'enroll') return invalidUnless(await enrol(sender, body))
  const host = await hostOfNodeKey(sender, textOf(body['node_key']))
  return host ? answerHost(sender, host, { path, body: () => body }) : invalidUnless(undefined)
}

/**
 * The same at the paths of Fleet (https://fleetdm.com), which name no token: a host shows it as the secret with which it
 * enrols, and then in its node key, which begins with the ids of the tenant and the token. Whoever is not known is told
 * `node_invalid`, and its body is not parsed unless it is small. Large ones, whose key may stand at their end, are read of
 * addresses alone from which a host has shown its key of late, as each does when it asks what to send.
 */
export async function answerFleetHost(request: ProtocolRequest): Promise<ProtocolReply> {
  const path = pathOf(request)
  const isLarge = LARGE.has(path)
  if (isLarge) await refuseOverUnknown(request)
  const mayBeLarge = isLarge && (await isAddressOfHost(request))
  const bytes = await request.body(mayBeLarge ? undefined : SMALL_OCTETS_MAX)
  if (path === 'enroll') return enrolFleetHost(request, parsed(bytes))
  const shown = nodeKeyIn(bytes)
  const known =
    shown &&
    (await authenticateKey(request, shown, (token) => hostOfNodeKey(senderOf(request, token), shown.key)))
  if (!known) return invalidUnless(undefined)
  await noteAddress(request)
  return answerHost(senderOf(request, known.token), known.found, { path, body: () => parsed(bytes) })
}

async function enrolFleetHost(request: ProtocolRequest, body: Fields): Promise<ProtocolReply> {
  const token = await authenticateEnrolSecret(request, textOf(body['enroll_secret']))
  if (!token) return invalidUnless(undefined)
  const key = await enrol(senderOf(request, token), body)
  if (key !== undefined) await noteAddress(request)
  const { ctx, tokenId } = token
  return invalidUnless(key && fleetNodeKey({ tenantId: ctx.tenantId, tokenId, key }))
}

function pathOf({ method, params }: ProtocolRequest): string {
  const path = params['*'] ?? ''
  if (method !== 'POST' || !PATHS.has(path)) throw notFound('page')
  return path
}

function senderOf({ headers, address }: ProtocolRequest, token: TokenContext): Sender {
  const version = /osquery\/(\d[\w.-]{0,40})/.exec(headers['user-agent'] ?? '')?.[1] ?? ''
  return { token, kind: 'osquery', version, address }
}

interface HostRequest {
  readonly path: string
  /** Parsed where it is needed, of a host that is known. */
  readonly body: () => Fields
}

async function answerHost(
  sender: Sender,
  host: EnrolledHost,
  { path, body }: HostRequest,
): Promise<ProtocolReply> {
  const { token } = sender
  switch (path) {
    case 'config':
      return json({ options: OPTIONS, schedule: {}, node_invalid: false })
    case 'distributed/read':
      return json({
        ...(isDue(token.ctx, host) ? questionsTo(token.ctx, host) : { queries: {} }),
        node_invalid: false,
      })
    case 'distributed/write':
      await takeResults(sender, host, resultsIn(body()))
      return json({ node_invalid: false })
    default:
      return json({ node_invalid: false })
  }
}

const PATHS: ReadonlySet<string> = new Set([
  'enroll',
  'config',
  'log',
  'distributed/read',
  'distributed/write',
])

function questionsTo(ctx: Ctx, { queryFailures }: EnrolledHost) {
  const resting = restingQueries(queryFailures, ctx.now())
  const asked = Object.entries(hostQueries).filter(([name]) => !resting.has(name))
  return {
    queries: Object.fromEntries(asked.map(([name, { sql }]) => [name, sql])),
    discovery: Object.fromEntries(asked.map(([name, it]) => [name, discoveryOf(it)])),
  }
}

/** The key of the host; undefined when it may not enrol again yet. */
async function enrol(sender: Sender, body: Fields): Promise<string | undefined> {
  const details = fieldsOf(body['host_details'])
  const [info, system] = [fieldsOf(details['osquery_info']), fieldsOf(details['system_info'])]
  const instanceId = cleanText(textOf(info['instance_id']) || textOf(body['host_identifier']))
  if (instanceId === '' || instanceId.length > DEVICE_ID_LENGTH_MAX)
    throw invalid(
      'host_details.osquery_info.instance_id',
      `must have 1 to ${DEVICE_ID_LENGTH_MAX} characters`,
    )
  const [uuid, serial] = [textOf(system['uuid']), textOf(system['hardware_serial'])]
  return enrolHost(sender, { instanceId, uuid, serial })
}

const invalidUnless = (nodeKey: string | undefined): ProtocolReply =>
  json(nodeKey === undefined ? { node_invalid: true } : { node_key: nodeKey, node_invalid: false })

type Fields = Readonly<Record<string, unknown>>

const json = (value: unknown): ProtocolReply => ({
  mediaType: 'application/json',
  content: JSON.stringify(value),
})

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function parsed(bytes: Buffer): Fields {
  try {
    return fieldsOf(JSON.parse(bytes.toString('utf8')))
  } catch {
    throw invalidBody('body: is not valid JSON')
  }
}

/** A query with a status that is not 0 failed; one that its discovery left out is absent. */
function resultsIn(body: Fields): HostResults {
  const statuses = fieldsOf(body['statuses'])
  const rows = new Map<string, readonly Row[]>()
  const failed = new Set<string>()
  let count = 0
  for (const [name, value] of Object.entries(fieldsOf(body['queries']))) {
    if (!Object.hasOwn(hostQueries, name) || !Array.isArray(value)) continue
    count += value.length
    if (count > ROWS_MAX) throw invalid(`queries.${name}`, `there are more than ${ROWS_MAX} rows`)
    if (Number(statuses[name] ?? 0) === 0) rows.set(name, (value as unknown[]).map(rowOf))
    else failed.add(name)
  }
  return { rows, failed }
}

const rowOf = (value: unknown): Row =>
  new Map(Object.entries(fieldsOf(value)).map(([name, it]) => [name, cleanText(String(it))]))
