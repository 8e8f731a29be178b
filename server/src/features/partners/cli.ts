import type { Command, CommandInput } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import type { PartnerKey } from './partner-key.ts'
import { createPartnerKey, listPartnerKeys, revokePartnerKey } from './partner-keys.ts'
import { allPartnerScopes } from './partner-scopes.ts'
import type { Partner } from './partner.ts'
import { createPartner, deletePartner, listPartners, tenantOfPartner, updatePartner } from './partners.ts'

const LISTED = { limit: 1_000, offset: 0 }

const ofPartner: Pick<Command, 'args' | 'tenant' | 'tenantOf'> = {
  args: ['partner'],
  tenant: true,
  tenantOf: (system, { args: { partner = '' } }) => tenantOfPartner(system, partner),
}
const idIn = ({ args }: CommandInput): string => args['partner'] ?? ''

const limits = {
  'quota-limit': { value: 'N', help: 'assets; 10000 unless given' },
  'rate-limit': { value: 'N', help: 'requests per minute, all keys together; 100 unless given' },
} as const

const partnerCommands: readonly Command[] = [
  {
    path: 'partner create',
    tenant: true,
    options: {
      name: { value: 'NAME', required: true, help: 'name of the partner' },
      slug: { value: 'SLUG', required: true, help: 'short name, unique in the tenant' },
      email: { value: 'EMAIL', required: true, help: 'whom to ask' },
      ...limits,
    },
    help: 'creates a partner, which gets keys of its own for the partner API',
    async run(ctx, { options }) {
      const { name, slug, email } = options
      const partner = await createPartner(ctx, {
        name: String(name),
        slug: String(slug),
        email: String(email),
        ...limitsIn(options),
      })
      return { json: toJson(partner), text: `Created ${partner.name} (${partner.id}).` }
    },
  },
  {
    path: 'partner list',
    tenant: true,
    help: 'lists the partners of the tenant, newest first',
    async run(ctx) {
      const { items } = await listPartners(ctx, LISTED)
      return { json: items.map(toJson), text: items.map(toLine).join('\n') }
    },
  },
  {
    path: 'partner update',
    ...ofPartner,
    options: {
      ...limits,
      api: { value: 'on|off', help: 'off: its keys are refused and its webhooks paused' },
    },
    help: 'changes the limits of a partner, or turns its API on or off',
    async run(ctx, input) {
      const { api } = input.options
      if (api !== undefined && api !== 'on' && api !== 'off') throw invalid('api', 'must be on or off')
      const changes = { ...limitsIn(input.options), ...(api !== undefined && { apiEnabled: api === 'on' }) }
      const partner = await updatePartner(ctx, idIn(input), changes)
      return { json: toJson(partner), text: toLine(partner) }
    },
  },
  {
    path: 'partner delete',
    ...ofPartner,
    help: 'deletes a partner with its keys and webhooks',
    async run(ctx, input) {
      await deletePartner(ctx, idIn(input))
      return { json: { id: idIn(input), deleted: true }, text: 'Deleted.' }
    },
  },
]

const keyCommands: readonly Command[] = [
  {
    path: 'partner key create',
    ...ofPartner,
    options: {
      name: { value: 'NAME', help: 'what the key is for' },
      scopes: { value: 'A,B', required: true, help: `some of ${allPartnerScopes.join(',')}` },
      'expires-in-days': { value: 'D|never', help: 'days until it expires; 90 unless given' },
    },
    help: 'creates a key of a partner and prints it once',
    async run(ctx, input) {
      const { name, scopes, 'expires-in-days': days } = input.options
      const { key, secret } = await createPartnerKey(ctx, idIn(input), {
        ...(typeof name === 'string' && { name }),
        scopes: String(scopes)
          .split(',')
          .map((scope) => scope.trim()),
        ...(days !== undefined && {
          expiresInDays: days === 'never' ? null : wholeNumber('expires-in-days', days),
        }),
      })
      return {
        json: { ...keyToJson(key), api_key: secret },
        text: `${secret}\n\nThis is the full key; it is not shown again. Id ${key.id}, expires ${key.expiresAt ?? 'never'}.`,
      }
    },
  },
  {
    path: 'partner key list',
    ...ofPartner,
    help: 'lists the keys of a partner, newest first',
    async run(ctx, input) {
      const { items } = await listPartnerKeys(ctx, idIn(input), LISTED)
      return { json: items.map(keyToJson), text: items.map(keyToLine).join('\n') }
    },
  },
  {
    path: 'partner key revoke',
    ...ofPartner,
    args: ['partner', 'id'],
    help: 'revokes a key of a partner at once',
    async run(ctx, input) {
      const key = await revokePartnerKey(ctx, idIn(input), input.args['id'] ?? '')
      return { json: keyToJson(key), text: `Revoked ${key.prefix}…` }
    },
  },
]

export const commands: readonly Command[] = [...partnerCommands, ...keyCommands]

function limitsIn(options: CommandInput['options']): { quotaLimit?: number; rateLimit?: number } {
  const { 'quota-limit': quota, 'rate-limit': rate } = options
  return {
    ...(quota !== undefined && { quotaLimit: wholeNumber('quota-limit', quota) }),
    ...(rate !== undefined && { rateLimit: wholeNumber('rate-limit', rate) }),
  }
}

function wholeNumber(option: string, text: unknown): number {
  if (typeof text !== 'string' || !/^\d+$/.test(text)) throw invalid(option, 'must be a whole number')
  return Number(text)
}

const toJson = (it: Partner) => ({
  id: it.id,
  name: it.name,
  slug: it.slug,
  email: it.email,
  quota_limit: it.quotaLimit,
  rate_limit: it.rateLimit,
  api_enabled: it.apiEnabled,
  created_at: it.createdAt,
})

const toLine = ({ id, slug, name, apiEnabled }: Partner): string =>
  `${id}  ${slug}  ${name}  API ${apiEnabled ? 'on' : 'off'}`

const keyToJson = (it: PartnerKey) => ({
  id: it.id,
  name: it.name,
  prefix: it.prefix,
  scopes: it.scopes,
  created_at: it.createdAt,
  expires_at: it.expiresAt,
  last_used_at: it.lastUsedAt,
})

const keyToLine = ({ id, prefix, name, scopes, expiresAt }: PartnerKey): string =>
  `${id}  ${prefix}…  ${name}  ${scopes.join(',')}  expires ${expiresAt ?? 'never'}`
