import { existsSync, readdirSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { API_PATH } from './entrance.ts'

/** What the pages may load and who may frame them: only ourselves, nothing inline, nobody (W3C CSP Level 3). */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** The builder names these files by a hash of their content, so what a name holds never changes. */
const HASHED_FOLDER = 'static'
const FOREVER = 'public, max-age=31536000, immutable'

const PAGE = 'index.html'
/** The name of a router constraint: whether a browser asks for a page to show. */
const WANTS_PAGE = 'wantsPage'

/**
 * Serves a built single-page app: its files, and its page wherever a browser wants one, since the page finds the
 * screen by itself. Whoever asks for anything else is answered as before. Nothing built, nothing served.
 */
export async function addStaticSite(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, PAGE))) return
  const config = { isOutside: true } as const
  await app.register(fastifyStatic, { root: folder, serve: false, cacheControl: false })
  const send = (reply: FastifyReply, path: string, caching: string) =>
    reply.headers(PAGE_HEADERS).header('cache-control', caching).sendFile(path)
  for (const file of readdirSync(folder, { withFileTypes: true }))
    if (file.isFile() && file.name !== PAGE)
      app.get(`/${file.name}`, { config }, (_, reply) => send(reply, file.name, 'no-cache'))
  app.get<{ Params: { '*': string } }>(`/${HASHED_FOLDER}/*`, { config }, ({ params }, reply) =>
    send(reply, `${HASHED_FOLDER}/${params['*']}`, FOREVER),
  )
  app.addConstraintStrategy(wantsPageStrategy())
  // `/` by itself too: another route for it, for whoever wants no page, goes before a wildcard
  for (const path of ['/', '/*'])
    app.get(path, { config, constraints: { [WANTS_PAGE]: true } }, (_, reply) =>
      send(reply, PAGE, 'no-cache'),
    )
}

interface Asked {
  readonly url?: string | undefined
  readonly headers: IncomingHttpHeaders
}

const wantsPage = ({ url = '/', headers }: Asked): boolean =>
  (headers.accept?.includes('text/html') ?? false) && !url.startsWith(API_PATH)

function wantsPageStrategy() {
  return {
    name: WANTS_PAGE,
    storage<Handler>() {
      const handlers = new Map<unknown, Handler>()
      return {
        get: (wants: unknown) => handlers.get(wants) ?? null,
        set: (wants: unknown, handler: Handler) => void handlers.set(wants, handler),
      }
    },
    deriveConstraint: (request: Asked) => wantsPage(request) || undefined,
  }
}
