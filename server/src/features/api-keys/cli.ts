import type { Command, CommandInput, CommandOption, CommandResult } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { createKey, listKeys, revokeKey, rotateKey, tenantOfKey } from './api-keys.ts'
import type { ApiKey, IssuedKey, NewKey } from './api-key.ts'
import { allScopes } from './scopes.ts'

const expiresInDays: CommandOption = {
  value: 'D|never',
  help: 'days until it stops working; 90 unless given',
}
const where: CommandOption = {
  value: 'CONDITION',
  help: 'the key sees only assets for which this is true; see docs/conditions.md',
}
const scopeList = allScopes.join(',')

const ofKey: Pick<Command, 'args' | 'tenant' | 'tenantOf'> = {
  args: ['id'],
  tenant: true,
  tenantOf: (system, { args: { id = '' } }) => tenantOfKey(system, id),
}

export const commands: readonly Command[] = [
  {
    path: 'key create',
    tenant: true,
    options: {
      name: { value: 'NAME', required: true, help: 'what it is for' },
      scopes: { value: 'A,B', required: true, help: `some of ${scopeList}` },
      where,
      'expires-in-days': expiresInDays,
    },
    help: 'creates an API key and prints it once',
    run: async (ctx, input) =>
      oneTimeSecret(await createKey(ctx, { name: '', scopes: [], ...keyOptions(input) })),
  },
  {
    path: 'key list',
    tenant: true,
    help: 'all API keys of the tenant, newest first',
    async run(ctx) {
      const keys = await listKeys(ctx)
      return { json: keys.map(toJson), text: keys.map(toLine).join('\n') }
    },
  },
  {
    path: 'key revoke',
    ...ofKey,
    help: 'revokes an API key; it is refused at once',
    async run(ctx, { args }) {
      const key = await revokeKey(ctx, args.id ?? '')
      return { json: toJson(key), text: `Revoked ${key.name} (${key.prefix}…).` }
    },
  },
  {
    path: 'key rotate',
    ...ofKey,
    options: {
      name: { value: 'NAME', help: 'another name' },
      scopes: { value: 'A,B', help: `other scopes: some of ${scopeList}` },
      where: { ...where, help: 'another condition on the assets that it sees; empty: all' },
      'expires-in-days': { ...expiresInDays, help: 'another lifetime, from now' },
    },
    help: 'replaces an API key by a new one; the old one is refused at once',
    run: async (ctx, input) => oneTimeSecret(await rotateKey(ctx, input.args.id ?? '', keyOptions(input))),
  },
]

function keyOptions({ options }: CommandInput): Partial<NewKey> {
  const { name, scopes, where: condition, 'expires-in-days': days } = options
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof scopes === 'string' ? { scopes: scopes.split(',').map((scope) => scope.trim()) } : {}),
    ...(typeof condition === 'string' ? { where: condition } : {}),
    ...(typeof days === 'string' ? { expiresInDays: daysOf(days) } : {}),
  }
}

function daysOf(text: string): number | 'never' {
  if (text === 'never') return 'never'
  if (!/^\d+$/.test(text)) throw invalid('expires-in-days', 'must be a whole number or never')
  return Number(text)
}

function oneTimeSecret({ key, secret }: IssuedKey): CommandResult {
  const { id, name, prefix, scopes, expiresAt } = key
  return {
    json: { id, name, prefix, api_key: secret, scopes, expires_at: expiresAt },
    text: `${secret}\n\nThis is the whole key; it is not shown again. Id ${id}, ends ${expiresAt ?? 'never'}.`,
  }
}

const toJson = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  scopes: key.scopes,
  where: key.where,
  created_at: key.createdAt,
  expires_at: key.expiresAt,
  revoked_at: key.revokedAt,
  last_used_at: key.lastUsedAt,
})

function toLine(key: ApiKey): string {
  const state = key.revokedAt ? 'revoked' : key.isExpired ? 'expired' : `ends ${key.expiresAt ?? 'never'}`
  return `${key.id}  ${key.prefix}…  ${key.name}  ${key.scopes.join(',')}  ${state}${key.where === null ? '' : `  where ${key.where}`}`
}
