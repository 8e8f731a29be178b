import { readFile } from 'node:fs/promises'
import type { Command, CommandInput } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { parsePage } from '#platform/http/paging.ts'
import { silenceOf, stateOf, type Agent } from './agent.ts'
import {
  approveAgent,
  createToken,
  listAgents,
  listTokens,
  rekeyAgent,
  revokeAgent,
  revokeToken,
} from './agents.ts'
import { tokenKinds, type EnrolmentToken, type TokenKind } from './tokens/enrolment-token.ts'

export const commands: readonly Command[] = [
  {
    path: 'agent token create',
    tenant: true,
    options: {
      name: { value: 'NAME', required: true, help: 'what people call it' },
      kind: {
        value: tokenKinds.join('|'),
        help: 'agent: to enrol our own agent, unless given; dropin: for those of GLPI, FusionInventory, OCS and osquery',
      },
      uses: { value: 'N', help: 'hosts that may enrol our own agent with it; 1 unless given' },
      'needs-approval': { flag: true, help: 'hosts report nothing until agent approve' },
      tag: { value: 'TAG', many: true, help: 'given to every asset that its agents report' },
      network: { value: 'CIDR', many: true, help: 'taken from this network alone' },
      'secret-file': {
        value: 'FILE',
        help: 'dropin: the secret with which osquery enrols at Fleet, taken over for FLEET_PORT; else one is made',
      },
      'expires-in-days': {
        value: 'D|never',
        help: 'days until it stops working; 30 unless given, 365 for dropin and both; never: for one host alone',
      },
    },
    help: 'makes the secret with which agents enrol or report, and the lines that install our own; shown this once',
    async run(ctx, { options, site = 'https://HOST' }) {
      const { token, secret } = await createToken(ctx, {
        name: String(options['name']),
        ...kindOf(options['kind']),
        ...usesOf(options['uses']),
        needsApproval: options['needs-approval'] === true,
        tags: linesOf(options['tag']),
        networks: linesOf(options['network']),
        ...expiryOf(options['expires-in-days']),
        ...(await secretOf(options['secret-file'])),
      })
      const install = token.kind === 'dropin' ? undefined : installLines(site, secret)
      const address = token.kind === 'agent' || token.prefix === '' ? undefined : `${site}/t/${secret}`
      const lines = [
        ...(install ? ['', 'Our own agent, on Linux; the token is shown this once:', ...install] : []),
        ...(address === undefined ? [] : ['', 'The address for other agents, shown this once:', address]),
      ]
      return {
        json: {
          ...tokenJson(token),
          token: secret,
          ...(address !== undefined && { address }),
          ...(install && { install }),
        },
        text: [tokenLine(token), ...lines].join('\n'),
      }
    },
  },
  {
    path: 'agent token list',
    tenant: true,
    help: 'enrolment tokens, newest first, never with their secrets',
    async run(ctx) {
      const all = await listTokens(ctx)
      return { json: all.map(tokenJson), text: all.map(tokenLine).join('\n') }
    },
  },
  {
    path: 'agent token revoke',
    args: ['id'],
    tenant: true,
    help: 'agents with this token are refused from now on',
    async run(ctx, { args }) {
      const token = await revokeToken(ctx, args['id'] ?? '')
      return { json: tokenJson(token), text: tokenLine(token) }
    },
  },
  {
    path: 'agent list',
    tenant: true,
    options: {
      limit: { value: 'N', help: 'at most so many, 50 unless given' },
      offset: { value: 'N', help: 'leave out so many' },
    },
    help: 'agents by the name of their host, and why some are silent',
    async run(ctx, { options }) {
      const { items } = await listAgents(ctx, parsePage(options))
      const now = ctx.now()
      return {
        json: items.map((it) => agentJson(it, now)),
        text: items.map((it) => agentLine(it, now)).join('\n'),
      }
    },
  },
  {
    path: 'agent approve',
    args: ['id'],
    tenant: true,
    help: 'what a host reports that waits for approval is taken from now on',
    run: (ctx, { args }) => changed(ctx, approveAgent(ctx, args['id'] ?? '')),
  },
  {
    path: 'agent rekey',
    args: ['id'],
    tenant: true,
    help: 'our own agent makes a new key with its next report',
    run: (ctx, { args }) => changed(ctx, rekeyAgent(ctx, args['id'] ?? '')),
  },
  {
    path: 'agent revoke',
    args: ['id'],
    tenant: true,
    help: 'reports of our own agent are refused from now on; its asset stays',
    run: (ctx, { args }) => changed(ctx, revokeAgent(ctx, args['id'] ?? '')),
  },
]

async function changed(ctx: Ctx, change: Promise<Agent>) {
  const [agent, now] = [await change, ctx.now()]
  return { json: agentJson(agent, now), text: agentLine(agent, now) }
}

/** Of the archive that this server makes; root reads serial numbers, and systemd or cron starts the agent from then on. */
const installLines = (site: string, secret: string): string[] => [
  `curl -fsS "${site}/agent/download/linux-$(uname -m)" | sudo tar -xz -C /opt`,
  `sudo /opt/rollcall-agent/rollcall-agent enrol ${site} ${secret}`,
  'sudo /opt/rollcall-agent/rollcall-agent install',
]

const linesOf = (option: string | true | undefined): string[] =>
  typeof option === 'string' ? option.split('\n') : []

function kindOf(option: string | true | undefined): { kind?: TokenKind } {
  if (option === undefined) return {}
  const kind = tokenKinds.find((it) => it === option)
  if (!kind) throw invalid('kind', `must be one of ${tokenKinds.join(', ')}`)
  return { kind }
}

function usesOf(option: string | true | undefined): { uses?: number } {
  if (typeof option !== 'string') return {}
  if (!/^\d{1,9}$/.test(option)) throw invalid('uses', 'must be a whole number')
  return { uses: Number(option) }
}

function expiryOf(option: string | true | undefined): { expiresInDays?: number | 'never' } {
  if (typeof option !== 'string') return {}
  if (option === 'never') return { expiresInDays: option }
  if (!/^\d+$/.test(option)) throw invalid('expires-in-days', 'must be a number of days, or never')
  return { expiresInDays: Number(option) }
}

const tokenJson = (token: EnrolmentToken) => ({
  id: token.id,
  name: token.name,
  kind: token.kind,
  uses: token.uses,
  uses_max: token.usesMax,
  needs_approval: token.needsApproval,
  prefix: token.prefix,
  tags: token.tags,
  networks: token.networks,
  created_at: token.createdAt,
  expires_at: token.expiresAt,
  revoked_at: token.revokedAt,
  last_used_at: token.lastUsedAt,
})

function tokenLine(token: EnrolmentToken): string {
  const end = token.expiresAt === null ? 'never expires' : `expires ${token.expiresAt}`
  const state = token.revokedAt !== null ? `revoked ${token.revokedAt}` : end
  const use = token.lastUsedAt === null ? 'never used' : `used ${token.lastUsedAt}`
  const hosts = token.usesMax === null ? '' : `, ${token.uses} of ${token.usesMax} hosts`
  return `${token.id}  ${token.prefix}…  ${token.name} (${token.kind}): ${state}, ${use}${hosts}`
}

const agentJson = (agent: Agent, now: Date) => ({
  id: agent.id,
  kind: agent.kind,
  name: agent.name,
  device_id: agent.deviceId,
  version: agent.version,
  address: agent.address,
  state: stateOf(agent, now),
  why: silenceOf(agent, now),
  token_id: agent.tokenId,
  asset_id: agent.assetId,
  revoked_at: agent.revokedAt,
  first_seen_at: agent.firstSeenAt,
  last_contact_at: agent.lastContactAt,
  last_report_at: agent.lastReportAt,
})

function agentLine(agent: Agent, now: Date): string {
  const why = silenceOf(agent, now)
  const report = agent.lastReportAt === null ? 'no report yet' : `report ${agent.lastReportAt}`
  return `${agent.id}  ${agent.name || agent.deviceId}  ${agent.kind} ${agent.version}  ${stateOf(agent, now)}, ${report}${why && ` (${why})`}`
}

async function secretOf(file: CommandInput['options'][string]): Promise<{ secret?: string }> {
  if (typeof file !== 'string') return {}
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw invalid('secret-file', `cannot be read (${error.code})`)
  })
  return { secret: text.trim() }
}
