import type { Command } from '#platform/cli/command.ts'
import { parsePage } from '#platform/http/paging.ts'
import { credentialJson, credentialLine, inputOf, secretOptions } from './cli/credential-input.ts'
import {
  createCredential,
  deleteCredential,
  listCredentials,
  resetCredential,
  tenantOfCredential,
  updateCredential,
} from './credentials.ts'
import { rotateKeys } from './encryption/data-keys.ts'
import { hostKeyCommands } from './cli/host-keys.ts'
import { knownHostCommands } from './cli/known-hosts.ts'
import { credentialKinds } from './credential-kinds.ts'

const paging: Command['options'] = {
  limit: { value: 'N', help: 'at most so many, 50 unless given' },
  offset: { value: 'N', help: 'leave out so many' },
}

const byId: Pick<Command, 'args' | 'tenant' | 'tenantOf'> = {
  args: ['id'],
  tenant: true,
  tenantOf: (system, { args: { id = '' } }) => tenantOfCredential(system, id),
}

const bindingOptions: Command['options'] = {
  cidr: { value: 'NETWORK', many: true, help: 'it is shown to hosts of this network' },
  target: { value: 'ID', many: true, help: 'it is shown to this scan target; see target list' },
  'opened-by': {
    value: 'ID|server',
    many: true,
    help: 'this collector can open the secret, and the server cannot; server: the server can, as unless given',
  },
}

const credentialCommands: readonly Command[] = [
  {
    path: 'credential create',
    tenant: true,
    options: {
      name: { value: 'NAME', required: true, help: 'what people call it' },
      kind: { value: 'KIND', required: true, help: `one of ${credentialKinds.join(', ')}` },
      ...bindingOptions,
      ...secretOptions,
    },
    help: 'stores what scans show to hosts to be let in; no secret stands on the command line',
    async run(ctx, { options }) {
      const {
        name = '',
        cidrs = [],
        targetIds = [],
        ...rest
      } = await inputOf(options, String(options['kind']))
      const made = await createCredential(ctx, {
        name,
        cidrs,
        targetIds,
        ...rest,
        kind: String(options['kind']),
      })
      return { json: credentialJson(made), text: credentialLine(made) }
    },
  },
  {
    path: 'credential list',
    tenant: true,
    options: paging,
    help: 'all credentials by name, never with their secrets',
    async run(ctx, { options }) {
      const { items } = await listCredentials(ctx, parsePage(options))
      return { json: items.map(credentialJson), text: items.map(credentialLine).join('\n') }
    },
  },
  {
    path: 'credential update',
    ...byId,
    options: {
      name: { value: 'NAME', help: 'what people call it' },
      kind: { value: 'KIND', help: 'as it is; says what the secret that is given is' },
      ...bindingOptions,
      ...secretOptions,
    },
    help: 'changes it; what is not given stays, a network that is new needs the secret anew',
    async run(ctx, { args: { id = '' }, options }) {
      const changes = await inputOf(
        options,
        typeof options['kind'] === 'string' ? options['kind'] : undefined,
      )
      const after = await updateCredential(ctx, id, changes)
      return { json: credentialJson(after), text: credentialLine(after) }
    },
  },
  {
    path: 'credential delete',
    ...byId,
    help: 'removes it and its secret',
    async run(ctx, { args: { id = '' } }) {
      await deleteCredential(ctx, id)
      return { json: { id }, text: 'Deleted.' }
    },
  },
  {
    path: 'credential reset',
    ...byId,
    help: 'shows it to hosts again, after it was set aside because too many refused it',
    async run(ctx, { args: { id = '' } }) {
      const after = await resetCredential(ctx, id)
      return { json: credentialJson(after), text: credentialLine(after) }
    },
  },
  {
    path: 'credential rotate-keys',
    help: 'makes new data keys for all tenants and encrypts every credential anew; safe while scans run, and to repeat',
    async run(system) {
      const rotated = await rotateKeys(system)
      const count = rotated.reduce((sum, it) => sum + it.reencrypted, 0)
      const text = `${count} credentials of ${rotated.length} tenants stand under new keys.`
      return { json: rotated, text }
    },
  },
]

export const commands: readonly Command[] = [...credentialCommands, ...hostKeyCommands, ...knownHostCommands]
