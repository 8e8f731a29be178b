import type { request } from 'node:http'
import { createRequire } from 'node:module'

/**
 * Required and not imported: an import asks `node:http` for all that it exports, whereupon it loads fetch and WebSocket,
 * which costs as much processor time as Node takes to start and end.
 */
const required = createRequire(import.meta.url)

export const requestOver = (protocol: string): typeof request =>
  (required(protocol === 'https:' ? 'node:https' : 'node:http') as { readonly request: typeof request })
    .request
