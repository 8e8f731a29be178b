import type { Route } from '#platform/http/route.ts'
import { attachmentRoutes } from './attachments/rest.ts'
import { contractRoutes } from './rest/contracts.ts'
import { entitlementRoutes } from './rest/entitlements.ts'

export const rest: readonly Route[] = [...contractRoutes, ...entitlementRoutes, ...attachmentRoutes]
