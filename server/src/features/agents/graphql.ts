import { lifetimeOf } from '#platform/graphql/lifetime.ts'
import {
  given,
  listArgs,
  pageFrom,
  pageType,
  perItem,
  type Schema,
  type TypeOf,
} from '#platform/graphql/schema.ts'
import { agentKinds, agentStates, silenceOf, stateOf, type Agent } from './agent.ts'
import {
  approveAgent,
  createToken,
  listAgents,
  listTokens,
  rekeyAgent,
  revokeAgent,
  revokeToken,
} from './agents.ts'
import { tokenKinds, type EnrolmentToken, type IssuedToken } from './tokens/enrolment-token.ts'

export function graphql(schema: Schema): void {
  const agent = addAgent(schema)
  const page = pageType(schema, 'AgentPage', agent)
  const tokenTypes = addToken(schema)
  schema.queryFields((t) => ({
    agents: t.field({
      type: page,
      description: 'Hosts that report by an agent of their own, by name unless another order is asked for.',
      args: { ...listArgs(schema), tokenId: t.arg.id() },
      complexity: perItem,
      resolve: (_, { tokenId, where, sort, ...page }, ctx) =>
        listAgents(ctx, pageFrom(page), given({ tokenId, where, sort })),
    }),
    enrolmentTokens: t.field({
      type: [tokenTypes.token],
      description: 'Newest first, including expired and revoked ones.',
      resolve: (_, __, ctx) => listTokens(ctx),
    }),
  }))
  addMutations(schema, tokenTypes)
  addAgentMutations(schema, agent)
}

function addMutations(schema: Schema, { token, kind }: TokenTypes): void {
  const issued = schema.objectRef<IssuedToken>('IssuedEnrolmentToken').implement({
    fields: (t) => ({
      token: t.field({ type: token, resolve: (it) => it.token }),
      secret: t.exposeString('secret', { description: 'Shown this once: agents report to /t/<secret>.' }),
    }),
  })
  schema.mutationFields((t) => ({
    createEnrolmentToken: t.field({
      type: issued,
      args: {
        name: t.arg.string({ required: true }),
        kind: t.arg({ type: kind, description: '`agent` unless given.' }),
        uses: t.arg.int({
          description: 'Hosts that may enrol our own agent with it, 1 unless given. Not for `dropin`.',
        }),
        needsApproval: t.arg.boolean({ description: 'Hosts report nothing until `approveAgent`.' }),
        tags: t.arg.stringList({ description: 'Given to every asset that its agents report.' }),
        networks: t.arg.stringList({ description: 'CIDRs from which it is taken; none: from anywhere.' }),
        expiresInDays: t.arg.int({
          description: '30 unless given; 365 for `dropin` and `both`, whose agents carry the secret.',
        }),
        neverExpires: t.arg.boolean({ description: 'Only of a token for one host.' }),
      },
      resolve: (_, { name, neverExpires, expiresInDays, ...fields }, ctx) =>
        createToken(ctx, {
          name,
          ...given(fields),
          ...given({ expiresInDays: lifetimeOf(expiresInDays, neverExpires) }),
        }),
    }),
    revokeEnrolmentToken: t.field({
      type: token,
      description: 'Agents with this token are refused from now on.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => revokeToken(ctx, id),
    }),
  }))
}

function addAgentMutations(schema: Schema, agent: TypeOf<Agent>): void {
  schema.mutationFields((t) => ({
    approveAgent: t.field({
      type: agent,
      description: 'What a host reports that enrolled with a token that needs approval is taken from now on.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => approveAgent(ctx, id),
    }),
    rekeyAgent: t.field({
      type: agent,
      description: 'Our own agent makes a new key with its next report.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => rekeyAgent(ctx, id),
    }),
    revokeAgent: t.field({
      type: agent,
      description: 'Reports of our own agent are refused from now on; its asset stays.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => revokeAgent(ctx, id),
    }),
  }))
}

function addAgent(schema: Schema): TypeOf<Agent> {
  const kind = schema.enumType('AgentKind', { values: agentKinds })
  const state = schema.enumType('AgentState', { values: agentStates })
  return schema.objectRef<Agent>('Agent').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      kind: t.expose('kind', { type: kind }),
      name: t.exposeString('name', { description: 'Of the host; empty until it has reported.' }),
      deviceId: t.exposeString('deviceId', { description: 'What the agent calls itself.' }),
      version: t.exposeString('version'),
      address: t.exposeString('address'),
      tokenName: t.exposeString('tokenName'),
      assetId: t.exposeID('assetId', {
        nullable: true,
        description: 'The asset that it reports; null until it has reported.',
      }),
      state: t.field({ type: state, resolve: (it, _, ctx) => stateOf(it, ctx.now()) }),
      why: t.string({
        description: 'Why no report came, or why the latest was refused; empty for one that reports.',
        resolve: (it, _, ctx) => silenceOf(it, ctx.now()),
      }),
      firstSeenAt: t.expose('firstSeenAt', { type: 'DateTime' }),
      lastContactAt: t.expose('lastContactAt', { type: 'DateTime' }),
      lastReportAt: t.expose('lastReportAt', { type: 'DateTime', nullable: true }),
      revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    }),
  })
}

interface TokenTypes {
  readonly token: TypeOf<EnrolmentToken>
  readonly kind: ReturnType<typeof tokenKindOf>
}

const tokenKindOf = (schema: Schema) =>
  schema.enumType('EnrolmentTokenKind', {
    description: 'Whose agents it admits: our own, those of GLPI, FusionInventory, OCS and osquery, or both.',
    values: tokenKinds,
  })

function addToken(schema: Schema): TokenTypes {
  const kind = tokenKindOf(schema)
  const token = schema.objectRef<EnrolmentToken>('EnrolmentToken').implement({
    description: 'With which agents report into the organisation.',
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      kind: t.expose('kind', { type: kind }),
      prefix: t.exposeString('prefix', { description: 'First characters of the secret, for display.' }),
      tags: t.stringList({ resolve: ({ tags }) => [...tags] }),
      networks: t.stringList({ resolve: ({ networks }) => [...networks] }),
      usesMax: t.exposeInt('usesMax', {
        nullable: true,
        description: 'How many hosts may enrol our own agent with it; null: any number.',
      }),
      uses: t.exposeInt('uses', { description: 'How many did.' }),
      needsApproval: t.exposeBoolean('needsApproval'),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true, description: 'Null: never.' }),
      isExpired: t.exposeBoolean('isExpired'),
      revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
      lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
    }),
  })
  return { token, kind }
}
