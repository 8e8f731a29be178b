import { invalid, notFound, Refusal } from '#platform/errors.ts'
import type { ProtocolReply, ProtocolRequest } from '#platform/protocols/protocol-routes.ts'
import { sha256 } from '#platform/secrets/random-keys.ts'
import { changeKey, enrolAgent, noteUpdateTakenBack, offeredRelease, takeReport } from '../agents.ts'
import { authenticateEnrolment } from '../tokens/token-authentication.ts'
import type { SignedRelease } from '../updates/signed-release.ts'
import {
  authenticateAgent,
  authenticateNewKey,
  identifyAgent,
  type AgentRequest,
} from './agent-authentication.ts'
import { fingerprintIn } from './fingerprint.ts'
import { nextIn } from './next-in.ts'
import { readSections } from './report-sections.ts'
import { isSignedBy } from './signature.ts'
import { textOf } from './section-values.ts'
import { takeUnchanged, touchesOf } from './unchanged/unchanged-report.ts'

/** Endpoints of our own agent: `POST /agent/v1/enrol`, `report` and `rekey`, each signed by the key of the host. */
export async function answerAgent(request: ProtocolRequest): Promise<ProtocolReply> {
  const answer = request.method === 'POST' ? calls.get(request.params['call'] ?? '') : undefined
  if (!answer) throw notFound('page')
  return answer(request)
}

const calls: ReadonlyMap<string, (request: ProtocolRequest) => Promise<ProtocolReply>> = new Map([
  ['enrol', enrol],
  ['report', report],
  ['rekey', rekey],
])

const json = (value: Readonly<Record<string, unknown>>, status = 200): ProtocolReply => ({
  status,
  mediaType: 'application/json',
  content: JSON.stringify(value),
})

/**
 * 201 with a new agent; 200 with the same when the key is known, because the first answer was lost; 202 `pending` as long as
 * nobody has approved the host.
 */
async function enrol(request: ProtocolRequest): Promise<ProtocolReply> {
  const { body, ...key } = await authenticateNewKey(request)
  const secret = textOf(body, 'token')
  if (secret === undefined) throw invalid('token', 'is required')
  const token = await authenticateEnrolment(request, secret)
  const { agentId, isNew, isPending } = await enrolAgent(token, {
    ...key,
    hostname: textOf(body, 'hostname') ?? '',
    version: textOf(body, 'version') ?? '',
    address: request.address,
    fingerprint: fingerprintIn(body['fingerprint'], token.ctx.tenantId),
  })
  const answer = { agent_id: agentId, next_in: nextIn(0), server_time: request.system.now().toISOString() }
  return isPending ? json({ ...answer, ...PENDING }, 202) : json(answer, isNew ? 201 : 200)
}

async function report(request: ProtocolRequest): Promise<ProtocolReply> {
  const asked = await identifyAgent(request)
  const { ctx, key, body, address } = asked
  const touches = await touchesOf(request)
  const isUnchanged = await takeUnchanged(touches, asked)
  const { want, mustChangeKey, isPending } = isUnchanged
    ? UNCHANGED
    : await takeReport(ctx, key, {
        ...readSections(body),
        version: textOf(body, 'version') ?? '',
        address,
        fingerprint: fingerprintIn(body['fingerprint'], ctx.tenantId),
        isCounterBehind: body['counter_was_behind'] === true,
      })
  const takenBack = textOf(body, 'update_taken_back')
  if (takenBack !== undefined)
    await noteUpdateTakenBack({ system: request.system, ctx }, key.agentId, takenBack)
  const update = isPending || mustChangeKey ? undefined : await updateIn(request, asked)
  const answer = {
    next_in: nextIn(touches.delayMs()),
    want,
    ...(mustChangeKey && { order: 'rekey' }),
    ...(update && { update }),
  }
  return isPending ? json({ ...answer, ...PENDING }, 202) : json(answer)
}

const UNCHANGED = { want: [], mustChangeKey: false, isPending: false }

/** Agents that cannot update themselves name no platform. */
async function updateIn(
  { system }: ProtocolRequest,
  { ctx, key, body }: Pick<AgentRequest, 'ctx' | 'key' | 'body'>,
): Promise<SignedRelease | undefined> {
  const [version, platform] = [textOf(body, 'version') ?? '', textOf(body, 'platform')]
  if (platform === undefined || !/^\d+\.\d+\.\d+$/.test(version)) return undefined
  return offeredRelease({ system, ctx }, { key, version, platform })
}

/** The request is signed by the old key, `proof` by the new one. */
async function rekey(request: ProtocolRequest): Promise<ProtocolReply> {
  const { ctx, key, body, address } = await authenticateAgent(request)
  const publicKey = Buffer.from(textOf(body, 'public_key') ?? '', 'base64')
  const newKeyId = sha256(publicKey)
  const message = `rollcall-agent-rekey-1\n${key.keyId.toString('hex')}\n${newKeyId.toString('hex')}`
  const proof = Buffer.from(textOf(body, 'proof') ?? '', 'base64')
  if (!isSignedBy(publicKey, Buffer.from(message), proof))
    throw new Refusal(401, 'signature', 'proof: is not the signature of the new key')
  const agentId = await changeKey(ctx, {
    key,
    newKeyId,
    newPublicKey: publicKey,
    fingerprint: fingerprintIn(body['fingerprint'], ctx.tenantId),
    address,
  })
  return json({ agent_id: agentId, next_in: nextIn(0) })
}

/** An agent of a host that waits asks as often as its timer lets it: people are waiting at its screen. */
const PENDING = { status: 'pending', next_in: 300 }
