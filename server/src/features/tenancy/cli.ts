import type { Command } from '#platform/cli/command.ts'
import { createTenant, listTenants } from './tenancy.ts'
import type { Tenant } from './tenant.ts'

export const commands: readonly Command[] = [
  {
    path: 'tenant create',
    args: ['slug'],
    options: { name: { value: 'NAME', help: 'display name; the slug unless given' } },
    help: 'creates a tenant',
    async run(system, { args, options }) {
      const name = typeof options.name === 'string' ? { name: options.name } : {}
      const tenant = await createTenant(system, { slug: args.slug ?? '', ...name })
      return { json: toJson(tenant), text: `Made tenant ${tenant.slug} (${tenant.id}).` }
    },
  },
  {
    path: 'tenant list',
    help: 'all tenants of the installation',
    async run(system) {
      const tenants = await listTenants(system)
      return { json: tenants.map(toJson), text: tenants.map(toLine).join('\n') }
    },
  },
]

const toJson = ({ id, slug, name }: Tenant) => ({ id, slug, name })

const toLine = ({ id, slug, name }: Tenant): string => `${id}  ${slug}  ${name}`
