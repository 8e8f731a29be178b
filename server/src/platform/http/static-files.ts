import { existsSync, readdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { extname, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { preferredCoding, type ContentCoding } from '../compression/content-coding.ts'
import { isPage, PAGE, pageFor } from './pages/page-language.ts'
import { API_PATH } from './pipeline.ts'
import { notFound } from '../errors.ts'

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

/** Media types of the files that are compressed at build time. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
}
/** The name of a router constraint: whether a browser asks for a page to show. */
const WANTS_PAGE = 'wantsPage'

/** The builder lays `app.js.br` beside `app.js` where that is shorter; the best is the shortest. */
const CODED = { br: '.br', zstd: '.zst', gzip: '.gz' } as const satisfies Record<ContentCoding, string>
const isCoded = (path: string): boolean => Object.values<string>(CODED).includes(extname(path))

/**
 * Serves a built single-page app: its files, and its page wherever a browser wants one, since the page finds the
 * screen by itself. Whoever asks for anything else is answered as before. Nothing built, nothing served. A file comes
 * in the coding that the browser likes best, with an ETag and ranges of that coding.
 */
export async function addStaticFiles(app: FastifyInstance, folder: string): Promise<void> {
  const config = { isOutside: true } as const
  const send = await openFolder(app, folder)
  if (!send) return
  for (const file of readdirSync(folder, { withFileTypes: true }))
    if (file.isFile() && !isPage(file.name) && !isCoded(file.name))
      app.get(`/${file.name}`, { config }, (_, reply) => send(reply, file.name, 'no-cache'))
  app.get<{ Params: { '*': string } }>(`/${HASHED_FOLDER}/*`, { config }, ({ params }, reply) =>
    send(reply, `${HASHED_FOLDER}/${params['*']}`, FOREVER),
  )
  app.addConstraintStrategy(wantsPageStrategy())
  // `/` by itself too: another route for it, for whoever wants no page, goes before a wildcard
  for (const path of ['/', '/*'])
    app.get(path, { config, constraints: { [WANTS_PAGE]: true } }, ({ headers }, reply) =>
      send(reply, pageFor(folder, headers), 'no-cache', ['cookie', 'accept-language']),
    )
}

/**
 * Serves pages that were built as files at `path`: `install.html` at `path/install`, `index.html` at `path` itself, and
 * `404.html` for what is not there. Nothing built, nothing served: false.
 */
export async function addPages(app: FastifyInstance, path: string, folder: string): Promise<boolean> {
  const config = { isOutside: true } as const
  const send = await openFolder(app, folder)
  if (!send) return false
  app.get(path, { config }, (_, reply) => send(reply, PAGE, 'no-cache'))
  app.get<{ Params: { '*': string } }>(`${path}/*`, { config }, async ({ params }, reply) => {
    const asked = params['*']
    if (asked === '') return reply.redirect(path)
    const file = extname(asked) === '' ? `${asked}.html` : asked
    const caching = asked.startsWith(`${HASHED_FOLDER}/`) ? FOREVER : 'no-cache'
    if (await isFile(join(folder, file))) return send(reply, file, caching)
    return send(reply.status(404), '404.html', 'no-cache')
  })
  return true
}

type SendFile = (
  reply: FastifyReply,
  path: string,
  caching: string,
  vary?: readonly string[],
) => Promise<FastifyReply>

/** Undefined where nothing was built. */
async function openFolder(app: FastifyInstance, folder: string): Promise<SendFile | undefined> {
  if (!existsSync(join(folder, PAGE))) return undefined
  if (!app.hasReplyDecorator('sendFile'))
    await app.register(fastifyStatic, {
      root: folder,
      serve: false,
      cacheControl: false,
      setHeaders: setContentType,
    })
  return async (reply, path, caching, vary = []) => {
    if (isCoded(path) || !(await isFile(join(folder, path)))) throw notFound('file')
    const coding = preferredCoding(reply.request.headers['accept-encoding'], await codingsOf(folder, path))
    reply
      .headers(PAGE_HEADERS)
      .headers({ 'cache-control': caching, vary: [...vary, 'accept-encoding'].join(', ') })
    if (coding) reply.header('content-encoding', coding)
    return reply.sendFile(coding ? path + CODED[coding] : path, folder)
  }
}

/** The best first. Looked up each time: the pages may be built anew while they are served. */
async function codingsOf(folder: string, path: string): Promise<ContentCoding[]> {
  const codings = Object.keys(CODED) as ContentCoding[]
  const isThere = await Promise.all(codings.map((it) => isFile(join(folder, path + CODED[it]))))
  return codings.filter((_, at) => isThere[at])
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (it) => it.isFile(),
    () => false,
  )

/** Sets the media type of the content, not that of its compression. */
function setContentType(reply: { header: FastifyReply['header'] }, path: string): void {
  const type = isCoded(path) ? MEDIA_TYPES[extname(path.slice(0, -extname(path).length))] : undefined
  if (type) reply.header('content-type', type)
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
