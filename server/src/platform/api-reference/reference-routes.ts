import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { API_PATH } from '../http/pipeline.ts'
import { changesPage, type ReferenceSources } from './changes-page.ts'
import { referencePage } from './reference-page.ts'

export const REFERENCE_PATH = '/docs/api'
const CHANGES_PATH = '/docs/api/changes'
const STYLE_PATH = '/docs/api/reference.css'
const STYLES = fileURLToPath(new URL('reference.css', import.meta.url))

const SCRIPT_PATH = '/docs/api/try-it.js'
const SCRIPT = fileURLToPath(new URL('try-it.js', import.meta.url))

/** A page which loads its own style sheet and script, and asks this server alone. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
}

/** What the REST API offers, for programs and for people: no credential, no count, nothing about any tenant. */
export function addReference(app: FastifyInstance, sources: ReferenceSources): void {
  const config = { isOutside: true } as const
  const json = JSON.stringify(sources.document)
  const page = referencePage(sources.document, { stylesheet: STYLE_PATH, script: SCRIPT_PATH })
  const changes = changesPage(sources, STYLE_PATH)
  const styles = readFileSync(STYLES, 'utf8')
  const script = readFileSync(SCRIPT, 'utf8')
  const send = (reply: FastifyReply, type: string, content: string) => {
    reply.isCompressible = true
    return reply.type(`${type}; charset=utf-8`).send(content)
  }
  app.get(`${API_PATH}/openapi.json`, { config }, (_, reply) => send(reply, 'application/json', json))
  app.get(REFERENCE_PATH, { config }, (_, reply) => send(reply.headers(PAGE_HEADERS), 'text/html', page))
  app.get(CHANGES_PATH, { config }, (_, reply) => send(reply.headers(PAGE_HEADERS), 'text/html', changes))
  app.get(SCRIPT_PATH, { config }, (_, reply) => send(reply, 'text/javascript', script))
  app.get(STYLE_PATH, { config }, (_, reply) => send(reply, 'text/css', styles))
}
