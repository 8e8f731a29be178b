import { invalid, notFound, Refusal } from '#platform/errors.ts'
import type { ProtocolReply, ProtocolRequest } from '#platform/protocols/protocol-routes.ts'
import { sha256 } from '#platform/secrets/random-keys.ts'
import { changeKey, enrolAgent, takeReport } from '../agents.ts'
import { authenticateSecret } from '../tokens/token-authentication.ts'
import { authenticateAgent, authenticateNewKey } from './agent-authentication.ts'
import { fingerprintIn } from './fingerprint.ts'
import { readSections } from './report-sections.ts'
import { isSignedBy } from './signature.ts'
import { textOf } from './section-values.ts'

const INTERVAL_S = 900
/** So that agents that were started together do not stay together. */
const INTERVAL_SPREAD = 0.1

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

/** 201 with a new agent; 200 with the same when the key is known, because the first answer was lost. */
async function enrol(request: ProtocolRequest): Promise<ProtocolReply> {
  const { body, ...key } = await authenticateNewKey(request)
  const secret = textOf(body, 'token')
  if (secret === undefined) throw invalid('token', 'is required')
  const token = await authenticateSecret(request, secret)
  const { agentId, isNew } = await enrolAgent(token, {
    ...key,
    hostname: textOf(body, 'hostname') ?? '',
    version: textOf(body, 'version') ?? '',
    address: request.address,
    fingerprint: fingerprintIn(body['fingerprint']),
  })
  const answer = { agent_id: agentId, next_in: nextIn(), server_time: request.system.now().toISOString() }
  return json(answer, isNew ? 201 : 200)
}

async function report(request: ProtocolRequest): Promise<ProtocolReply> {
  const { ctx, key, body, address } = await authenticateAgent(request)
  const { want, mustChangeKey } = await takeReport(ctx, key, {
    ...readSections(body),
    version: textOf(body, 'version') ?? '',
    address,
    fingerprint: fingerprintIn(body['fingerprint']),
    isCounterBehind: body['counter_was_behind'] === true,
  })
  return json({ next_in: nextIn(), want, ...(mustChangeKey && { order: 'rekey' }) })
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
    fingerprint: fingerprintIn(body['fingerprint']),
    address,
  })
  return json({ agent_id: agentId, next_in: nextIn() })
}

const nextIn = (): number => Math.round(INTERVAL_S * (1 + INTERVAL_SPREAD * (2 * Math.random() - 1)))
