import type { FastifyInstance } from 'fastify'
import type { Log } from '../../observability/log.ts'
import { bracedPath, type Deprecation } from '../route.ts'

/** A key was sent to an endpoint that is deprecated. */
export interface DeprecatedUse {
  readonly keyId: string
  /** Of the kind that belongs to one thing of its tenant. */
  readonly isConfined: boolean
  /** Such as `GET /assets/{id}`. */
  readonly endpoint: string
  readonly deprecated: Deprecation
}

export type OnDeprecatedUse = (tenantId: string, use: DeprecatedUse) => Promise<void>

/** After the answer, which does not wait for it; refused requests count, because their caller will try again. */
export function watchDeprecatedUses(app: FastifyInstance, log: Log, onUse: OnDeprecatedUse): void {
  app.addHook('onResponse', async ({ admitted, routeOptions: { config } }) => {
    const { route } = config
    const holder = admitted?.confined?.holder ?? admitted?.holder
    if (!route?.shape.deprecated || !holder) return
    const use = {
      keyId: holder.id,
      isConfined: admitted?.confined !== undefined,
      endpoint: `${route.method} ${bracedPath(route.path)}`,
      deprecated: route.shape.deprecated,
    }
    void onUse(holder.tenant_id, use).catch((error: unknown) => {
      log.warn({ err: error, endpoint: use.endpoint }, 'nobody was told that a deprecated endpoint is in use')
    })
  })
}
