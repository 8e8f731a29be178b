/** Agents: programs on endpoints that report by themselves, our own, GLPI, FusionInventory, OCS and osquery, and the tokens they show. */
import { randomBytes } from 'node:crypto'
import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, notFound } from '#platform/errors.ts'
import { inOrder, subjectPage, type ListQuery } from '#platform/conditions/lists/subject-page.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { newSecret, sha256 } from '#platform/secrets/random-keys.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { agentKinds, patienceMs, type Agent } from './agent.ts'
import { withDetails } from './agent-details.ts'
import * as store from './agent-store.ts'
import {
  checkedSecret,
  checkedToken,
  TOKEN_PREFIX,
  type EnrolmentToken,
  type IssuedToken,
  type NewToken,
} from './tokens/enrolment-token.ts'
import * as tokens from './tokens/token-store.ts'

export { enrolHost, hostOfNodeKey, isDue, takeResults } from './osquery/osquery-hosts.ts'
export { countAgents, newestReports } from './agent-count-store.ts'
export { countKeys as countAgentKeys } from './signed/agent-key-store.ts'
export { approveAgent, rekeyAgent, revokeAgent } from './signed/agent-control.ts'
export { publicKeyIn, readSignature, verifyDigest, verifySignature } from './signed/signature.ts'
export { refuseOver } from './tokens/token-authentication.ts'
export { changeKey, enrolAgent, takeReport } from './signed/signed-agents.ts'
export { makeRelease, makeReleaseKey, makeRoot } from './updates/make-release.ts'
export {
  addRelease,
  listReleases,
  noteUpdateTakenBack,
  offeredRelease,
  setRollout,
} from './updates/releases.ts'
export { noteContact, receiveInventory } from './receiving/receive-inventory.ts'
export { receiveDevices } from './receiving/receive-devices.ts'

const HASH_OCTETS = 32
const SHOWN_LENGTH = TOKEN_PREFIX.length + 8

/**
 * The secret is answered this once. One that was taken over from Fleet can be taken over again once its token has ended:
 * hosts enrol anew then, because keys given out with the ended token name that one.
 */
export async function createToken(ctx: Ctx, input: NewToken): Promise<IssuedToken> {
  permit(ctx, 'agents:write')
  const fields = checkedToken(input)
  const given = checkedSecret(input)
  const secret = given ?? TOKEN_PREFIX + newSecret()
  return atomically(ctx, async (inner) => {
    const createdAt = inner.now()
    const row = {
      ...fields,
      id: newUuid(createdAt),
      createdAt,
      tokenHash: sha256(secret),
      prefix: given === undefined ? secret.slice(0, SHOWN_LENGTH) : '',
    }
    if (given !== undefined) await tokens.releaseSecret(inner, row.tokenHash, randomBytes(HASH_OCTETS))
    const token = await tokens.add(inner, row)
    if (!token) throw conflict('secret: there is a token with this secret already')
    await record(inner, 'enrolment_token.created', subject(token), describe(token))
    return { token, secret }
  })
}

/** Newest first, expired and revoked ones included. */
export async function listTokens(ctx: Ctx): Promise<EnrolmentToken[]> {
  permit(ctx, 'agents:read')
  return tokens.tokens(ctx)
}

/** Agents that show it are refused from their next request on, on every node. Revoking twice is no error. */
export async function revokeToken(ctx: Ctx, id: string): Promise<EnrolmentToken> {
  permit(ctx, 'agents:write')
  return atomically(ctx, async (inner) => {
    const token = isUuid(id) ? await tokens.token(inner, id) : undefined
    if (!token) throw notFound('enrolment token')
    const revoked = await tokens.revoke(inner, id, inner.now())
    if (!revoked) return token
    await record(inner, 'enrolment_token.revoked', subject(revoked), describe(revoked))
    return revoked
  })
}

export interface AgentQuery extends ListQuery {
  /** Those of one enrolment token. */
  readonly tokenId?: string
}

/** By the host's name unless another order is asked for. Throws 400 naming `where` or `sort`. */
export async function listAgents(ctx: Ctx, page: Page, query: AgentQuery = {}): Promise<Listed<Agent>> {
  permit(ctx, 'agents:read')
  const { tokenId, where, sort } = query
  if (tokenId !== undefined && !isUuid(tokenId)) return { items: [], total: 0 }
  const narrowed = tokenId === undefined ? [] : [store.ofToken(tokenId)]
  const asked = { subject: 'agent', usual: 'name', where, sort, narrowed }
  const { items: ids, total } = await subjectPage(ctx, asked, page)
  const rows = ids.length === 0 ? [] : await store.agentsById(ctx, ids)
  return {
    items: await withDetails(
      ctx,
      inOrder(ids, rows, ({ id }) => id),
    ),
    total,
  }
}

/** Ids that several hosts call themselves by who all report, which only copies of a disk do. */
export async function listAgentIdsShared(ctx: Ctx): Promise<store.SharedId[]> {
  permit(ctx, 'agents:read')
  const found: store.SharedId[] = []
  for (const kind of agentKinds) {
    const liveFrom = new Date(ctx.now().getTime() - patienceMs(kind))
    found.push(...(await store.sharedIds(ctx, kind, liveFrom)))
  }
  return found
}

const subject = ({ id }: EnrolmentToken) => ({ type: 'enrolment_token', id })

const describe = ({
  name,
  kind,
  prefix,
  tags,
  networks,
  usesMax,
  needsApproval,
  expiresAt,
}: EnrolmentToken) => ({
  name,
  kind,
  prefix,
  tags,
  networks,
  usesMax,
  needsApproval,
  expiresAt,
})
