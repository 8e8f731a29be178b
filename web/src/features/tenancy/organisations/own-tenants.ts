import { call } from '#api/client.ts'
import type { Tenant } from '#api/session.ts'

/** The slug of the person's demo organisation, which is made if there is none. */
export const openDemo = async (): Promise<string> =>
  ((await call('POST', '/session/demo')) as { readonly slug: string }).slug

/** In the address of the organisations: asks whether the demo is to be removed. */
export const REMOVE_DEMO = '#remove-demo'

/** Takes the person's demo away with all its data. */
export const closeDemo = (): Promise<unknown> => call('DELETE', '/session/demo')

/** Its slug. */
export const createTenant = async (input: Pick<Tenant, 'slug' | 'name'>): Promise<string> =>
  ((await call('POST', '/session/tenants', { body: JSON.stringify(input) })) as Tenant).slug
