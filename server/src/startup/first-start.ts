import { randomBytes } from 'node:crypto'
import { createKey } from '#features/api-keys/api-keys.ts'
import { createTenant, createUser, listTenants } from '#features/tenancy/tenancy.ts'
import type { Ctx } from '#platform/context.ts'
import { found, showWelcome } from '#platform/secrets/installation-key.ts'

const SLUG = 'default'
const EMAIL = 'admin@localhost'
const PASSWORD_BYTES = 18

interface Welcome {
  readonly email: string
  readonly password: string
  readonly apiKey: string
}

/** Makes the first tenant with an administrator and a key, once in the installation's life. */
export async function prepareFirstStart(system: Ctx): Promise<void> {
  await found(system, async (inner) => {
    const tenants = await listTenants(inner) // the command line may have made it already
    const tenant =
      tenants.find((it) => it.slug === SLUG) ?? (await createTenant(inner, { slug: SLUG, name: 'Default' }))
    const ctx = { ...inner, tenantId: tenant.id }
    const password = randomBytes(PASSWORD_BYTES).toString('base64url')
    await createUser(ctx, { email: EMAIL, password, isAdmin: true, mayCreateTenants: true })
    const { secret } = await createKey(ctx, { name: 'First key', scopes: ['admin'] })
    const welcome: Welcome = { email: EMAIL, password, apiKey: secret }
    return JSON.stringify(welcome)
  })
}

/** Prints the credentials of the first start unless they were printed before, then the address: the server is listening. */
export async function greet(
  system: Ctx,
  address: string,
  print: (text: string) => Promise<void>,
): Promise<void> {
  await showWelcome(system, (welcome) => print(describe(JSON.parse(welcome) as Welcome)))
  await print(`Rollcall runs at ${address}\n`)
}

const describe = ({ email, password, apiKey }: Welcome): string => `First start. This is shown once:

  Sign in as      ${email}
  Password        ${password}
  Admin API key   ${apiKey}

The key works for 90 days; rollcall key create makes others.

`
