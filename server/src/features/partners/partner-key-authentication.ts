import { forbidden, lacksScope, notFound } from '#platform/errors.ts'
import type { ConfinedKeys } from '#platform/http/authentication.ts'
import * as store from './partner-key-store.ts'
import { holdsScope } from './partner-scopes.ts'

const ADMIN_ONLY = 'only an API key with the scope admin may do this'

/** Authentication by the X-Partner-Key header, below /partners. */
export const partnerKeys: ConfinedKeys = {
  kind: 'partner_key',
  header: 'x-partner-key',
  path: '/partners',
  isPlausible: (credential) => /^pk_[0-9a-f]{64}$/.test(credential),
  holderOf: store.holderOf,
  alsoCount: store.countRequest,
  refusalOf({ owner_id: own, scopes }, { shape: { confinedScope } }, { id }) {
    if (confinedScope === undefined) return forbidden(ADMIN_ONLY)
    if (id?.toLowerCase() !== own) return notFound('partner')
    return holdsScope(scopes, confinedScope) ? undefined : lacksScope(confinedScope)
  },
  may: (permission) => permission.startsWith('partners:'),
  used: store.touch,
  invalidKey: 'Invalid or expired credentials',
  bothHeaders: 'send exactly one of X-Partner-Key and X-API-Key',
  rateHeaderPrefix: 'x-partner-ratelimit',
}
