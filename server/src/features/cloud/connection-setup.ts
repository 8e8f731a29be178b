import { isIP } from 'node:net'
import { permit, type Ctx } from '#platform/context.ts'
import { addressPolicy } from '#platform/egress/address-policy.ts'
import { invalid } from '#platform/errors.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { connectors } from './connectors/all.ts'
import type { Connector, Instruction, Proposed, SignIn } from './connectors/connector.ts'
import { subjectOf } from './connectors/identity-token.ts'
import { issuerOf } from './issuer/issuer.ts'
import { externalIdOf } from './reading/session.ts'

/** A way to sign in, with what is done at the provider before. */
export interface SignInDescription extends SignIn {
  readonly instructions: readonly Instruction[]
  /** Why it may not work with this installation; empty when nothing is known of that kind. */
  readonly warning: string
}

/** What a connection to a provider is made of. */
export interface ProviderDescription extends Pick<Connector, 'provider' | 'fields'>, Proposed {
  readonly signIns: readonly SignInDescription[]
  /** What has to be set up before costs are read, and what asking costs; empty where none are told. */
  readonly costNote: string
  /** They are in a table that has to be named. */
  readonly needsCostTable: boolean
}

/** For the connection that is made next. */
export async function describeProviders(ctx: Ctx): Promise<ProviderDescription[]> {
  permit(ctx, 'cloud:read')
  const proposed = proposalOf(ctx, newUuid(ctx.now()))
  return connectors.map((connector) => ({
    provider: connector.provider,
    fields: connector.fields,
    costNote: connector.costs?.note ?? '',
    needsCostTable: connector.costs?.needs !== undefined,
    ...proposed,
    signIns: offeredSignIns(ctx, connector).map((it) => ({
      ...it,
      instructions: connector.instructions(it.name, proposed),
      warning: it.fetchesKeys ? unreachable(ctx.publicUrl, connector.provider) : '',
    })),
  }))
}

/** Without those that the operator has not allowed. */
export const offeredSignIns = ({ metadata }: Ctx, { signIns }: Connector): readonly SignIn[] =>
  signIns.filter((it) => !it.isOfHost || metadata !== undefined)

/** An id for a new connection, unless one is given, and what belongs to it at the provider. */
export async function proposeConnection(ctx: Ctx, id?: string): Promise<Proposed> {
  permit(ctx, 'cloud:read')
  if (id !== undefined && !isUuid(id)) throw invalid('id', 'must be a UUID')
  return proposalOf(ctx, id ?? newUuid(ctx.now()))
}

const proposalOf = (ctx: Ctx, connectionId: string): Proposed => ({
  connectionId,
  externalId: externalIdOf(ctx.tenantId, connectionId),
  issuer: issuerOf(ctx),
  subject: subjectOf(ctx.tenantId, connectionId),
})

const unreachable = (publicUrl: string, provider: string): string =>
  isPublic(publicUrl)
    ? ''
    : `${provider} must reach the address of this server to verify its tokens; ${publicUrl} is not a public address with HTTPS`

/** As far as can be told without asking the network. */
function isPublic(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'https:') return false
  const ip = hostname.replaceAll(/^\[|\]$/g, '')
  if (isIP(ip) !== 0) return addressPolicy([]).decide(ip, 443).allowed
  return (
    hostname.includes('.') &&
    !/\.(local|localhost|internal|intranet|lan|corp|home|home\.arpa)$/.test(hostname)
  )
}
