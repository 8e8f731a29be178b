import type { GraphQLSchema } from 'graphql'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { publishedKeys } from '#features/audit/audit.ts'
import { apiKeyAuthentication } from '#features/api-keys/api-keys.ts'
import { partnerKeys } from '#features/partners/partner-key-authentication.ts'
import { accessTopicsOf } from '#features/tenancy/sessions/access-revoked-topics.ts'
import { sessionContext } from '#features/tenancy/sessions/sessions.ts'
import { misdirection } from '#platform/cells/misdirected.ts'
import { Refusal } from '#platform/errors.ts'
import { openAdmission } from '#platform/http/authentication.ts'
import { trustedProxies, type IsTrusted } from '#platform/http/client-address.ts'
import type { Ctx } from '#platform/context.ts'
import { addressOf } from '#platform/http/pipeline.ts'
import { addFileRoutes } from '#platform/http/uploads.ts'
import { addGraphql } from '#platform/graphql/handler.ts'
import { buildSchema } from '#platform/graphql/schema.ts'
import { addHealth } from '#platform/observability/health.ts'
import { buildHttp, listen } from '#platform/http/server.ts'
import { withinRequest } from '#platform/observability/request-spans.ts'
import { addLive } from '#platform/http/server-sent-events.ts'
import { observeRequests, openMetrics, type Metrics } from '#platform/observability/metrics.ts'
import { tenantNamedBy } from '#platform/http/csrf.ts'
import { watchDeprecatedUses } from '#platform/http/deprecation/deprecated-use.ts'
import type { ApiDocument } from '#platform/api-reference/reference-page.ts'
import { addReference, REFERENCE_PATH } from '#platform/api-reference/reference-routes.ts'
import { addRootText, addSigningKeys } from '#platform/http/root-page.ts'
import { addProtocolRoutes } from '#platform/protocols/protocol-routes.ts'
import { addSessionRoutes, sessionTokenOf } from '#platform/http/session-routes.ts'
import { addPages, addStaticFiles } from '#platform/http/static-files.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { apiDocument } from '../generated-docs/api-document.ts'
import type { Config } from '../config.ts'
import type { Runtime } from './runtime.ts'
import { MIGRATIONS } from './migrations.ts'

/** What people see in a browser, as it was built. */
const PAGES = fileURLToPath(new URL('../../../web/dist', import.meta.url))

/** What stands in docs/, as it was built. */
const DOCUMENTS = fileURLToPath(new URL('../../../docs/dist', import.meta.url))

const CHANGELOG = fileURLToPath(new URL('../../../CHANGELOG.md', import.meta.url))

/** Empty where the file was not installed. */
const readChangelog = (): string => (existsSync(CHANGELOG) ? readFileSync(CHANGELOG, 'utf8') : '')

export interface HttpServer {
  /** For example `http://127.0.0.1:8080`. */
  readonly address: string
  /** Stops accepting connections and waits for the requests in flight. */
  readonly close: () => Promise<void>
}

export interface MeasuredServer extends HttpServer {
  readonly metrics: Metrics
}

export type HttpServerConfig = Pick<Config, 'host' | 'port' | 'rateLimitPerMinute' | 'trustedProxies'> &
  Partial<Pick<Config, 'publicUrl' | 'metricsToken' | 'cellAddresses'>>

/** Who asks, by the session that the request carries, in the tenant that its address names; refuses everybody else. */
export type ContextOf = (request: FastifyRequest) => Promise<Ctx>

/** Starts the HTTP server of a runtime: REST API, GraphQL and session endpoints for the app, health and metrics. */
export async function openHttpServer(
  config: HttpServerConfig,
  runtime: Runtime,
  contextOf?: ContextOf,
): Promise<MeasuredServer> {
  const { system, log, contextFor } = runtime
  const isTrustedProxy = trustedProxies(config.trustedProxies)
  const authenticators = { authenticator: apiKeyAuthentication, confinedKeys: partnerKeys }
  const admission = openAdmission(system, authenticators, config.rateLimitPerMinute)
  const elsewhere = misdirection(system, config.cellAddresses ?? new Map())
  const app = buildHttp({
    routes: runtime.features.flatMap(({ rest }) => rest ?? []),
    pipeline: { admission, ...authenticators, isTrustedProxy, now: system.now, misdirection: elsewhere },
    contextFor,
    log,
    trace: system.trace,
  })
  const metrics = observed(app, runtime)
  const schema = buildSchema(runtime.features)
  const asked = (isPassive: boolean): ContextOf => contextOf ?? bySession(runtime, isTrustedProxy, isPassive)
  await addAppDoors(app, runtime, { schema, contextOf: asked(false), watching: asked(true) })
  const sessions = runtime.features.flatMap(({ session }) => session ?? [])
  addSessionRoutes(app, { routes: sessions, system, contextFor, isTrustedProxy, publicUrl: config.publicUrl })
  const protocols = runtime.features.flatMap((it) => it.protocols ?? [])
  await addProtocolRoutes(app, {
    routes: protocols,
    system,
    contextFor,
    isTrustedProxy,
    misdirection: elsewhere,
  })
  watchDeprecatedUses(app, log, async (tenantId, use) => {
    for (const { onDeprecatedUse } of runtime.features) await onDeprecatedUse?.(contextFor(tenantId), use)
  })
  const document = apiDocument(runtime.features) as ApiDocument
  addReference(app, { document, schema, changelog: readChangelog() })
  await addBuiltPages(app)
  addRootText(app, rootText(config.publicUrl ?? ''))
  addSigningKeys(app, () => publishedKeys(system))
  addHealth(app, { system, migrations: MIGRATIONS, metrics, metricsToken: config.metricsToken })
  return {
    metrics,
    address: await listen(app, config.host, config.port),
    async close() {
      await app.close()
      admission.close()
    },
  }
}

/** The documents and the app. Where the former were not built, the reference stands for them. */
async function addBuiltPages(app: FastifyInstance): Promise<void> {
  const path = '/docs'
  if (!(await addPages(app, path, DOCUMENTS)))
    app.get(path, { config: { isOutside: true } }, (_, reply) => reply.redirect(REFERENCE_PATH))
  await addStaticFiles(app, PAGES)
}

/** Called before routes are added in groups, which take over the hooks that are there. */
function observed(app: FastifyInstance, { system, database, features }: Runtime): Metrics {
  const metrics = openMetrics(
    system,
    database,
    features.flatMap((it) => it.gauges ?? []),
  )
  observeRequests(app, metrics)
  return metrics
}

/**
 * The endpoints that cannot stand beside the API, at the port `fleetPort`. Nothing else answers there. With `metrics` its
 * requests are counted among those of the server that tells them.
 */
export async function openServerApart(
  config: Pick<Config, 'host' | 'fleetPort' | 'rateLimitPerMinute' | 'trustedProxies'>,
  runtime: Runtime,
  metrics?: Metrics,
): Promise<HttpServer> {
  const { system, log, contextFor } = runtime
  const isTrustedProxy = trustedProxies(config.trustedProxies)
  const authenticators = { authenticator: apiKeyAuthentication, confinedKeys: partnerKeys }
  const admission = openAdmission(system, authenticators, config.rateLimitPerMinute)
  const pipeline = { admission, ...authenticators, isTrustedProxy, now: system.now }
  const app = buildHttp({ routes: [], pipeline, contextFor, log, trace: system.trace })
  if (metrics) observeRequests(app, metrics)
  const routes = runtime.features.flatMap((it) => it.protocolsApart ?? [])
  const elsewhere = misdirection(system, new Map())
  await addProtocolRoutes(app, { routes, system, contextFor, isTrustedProxy, misdirection: elsewhere })
  return {
    address: await listen(app, config.host, config.fleetPort ?? 0),
    async close() {
      await app.close()
      admission.close()
    },
  }
}

/** Where everything is; without a public address as paths alone, for what a request calls us may be anything. */
const rootText = (site: string): string => `Rollcall, the open asset inventory.

App             ${site}/  (in a browser)
Documents       ${site}/docs
API reference   ${site}/docs/api
OpenAPI         ${site}/api/v1/openapi.json
REST API        ${site}/api/v1/assets and others, with an API key in the header X-API-Key
Health          ${site}/healthz

For example:    curl -H "X-API-Key: $KEY" ${site || 'http://HOST'}/api/v1/assets
`

interface AppDoors extends Record<'contextOf' | 'watching', ContextOf> {
  readonly schema: GraphQLSchema
}

/** What the app asks for once somebody is signed in. */
async function addAppDoors(
  app: FastifyInstance,
  { features, database }: Runtime,
  { schema, contextOf, watching }: AppDoors,
): Promise<void> {
  addGraphql(app, { schema, contextOf })
  await addFileRoutes(app, { routes: features.flatMap(({ files }) => files ?? []), contextOf })
  const { onCommit } = database
  const topics = features.flatMap(({ live }) => live ?? [])
  addLive(app, { topics, contextOf: watching, accessTopicsOf, onCommit })
}

const bySession =
  (runtime: Runtime, isTrustedProxy: IsTrusted, isPassive = false): ContextOf =>
  async (request) => {
    const slug = tenantNamedBy(request)
    try {
      const ctx = await sessionContext(runtime, {
        token: sessionTokenOf(request),
        slug,
        address: addressOf({ isTrustedProxy }, request),
        isPassive,
      })
      return withinRequest(ctx, request)
    } catch (error) {
      if (error instanceof Refusal) await misdirection(runtime.system, new Map()).refuseSlug(slug)
      throw error
    }
  }
