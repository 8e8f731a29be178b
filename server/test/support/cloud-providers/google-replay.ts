import { generateKeyPairSync } from 'node:crypto'
import { judgeToken, type TrustedIssuer } from './identity-token.ts'
import { pageOf, startReplay, type Replay, type ReplayAnswer, type ReplayCall } from './replay.ts'

/**
 * Google's token service, Resource Manager, Cloud Asset Inventory and the APIs of single projects, all at one address.
 * Answers are laid out as in Google's API references.
 */
export interface GoogleReplay extends Replay {
  machines: GoogleMachine[]
  /** Whether Asset Inventory may be used. */
  hasInventory: boolean
  tokenSeconds: number
  /** Milliseconds since 1970, by which tokens end. */
  clock: () => number
  pageSize: number
  /** Zones that do not answer. */
  unreachable: string[]
  /** Whose tokens the pool takes; its subject alone may use the service account. */
  trusted?: TrustedIssuer
}

export interface GoogleMachine {
  readonly name: string
  readonly id: string
  readonly ip: string
  readonly status?: string
}

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

/** As Google gives it; of no account. */
export const GOOGLE_KEY = JSON.stringify({
  type: 'service_account',
  project_id: 'project-0',
  private_key_id: 'k1',
  private_key: privateKey,
  client_email: 'reader@project-0.iam.gserviceaccount.com',
})

const projects = [
  { name: 'projects/1000', projectId: 'project-0', displayName: 'Shop', state: 'ACTIVE' },
  { name: 'projects/1001', projectId: 'project-1', displayName: 'Analytics', state: 'ACTIVE' },
  { name: 'projects/1002', projectId: 'project-2', displayName: 'Old', state: 'DELETE_REQUESTED' },
]

/** `machines` of them in the first project, with the other types in each. */
export async function startGoogle(machines = 3): Promise<GoogleReplay> {
  const tokens = new Map<string, number>()
  const replay = await startReplay((call) => answerTo(google, tokens, call))
  const google: GoogleReplay = Object.assign(replay, {
    machines: Array.from({ length: machines }, (_, n) => ({
      name: `gvm${n}`,
      id: `900719925474099${n}`,
      ip: `10.9.0.${n}`,
    })),
    hasInventory: true,
    tokenSeconds: 3_600,
    clock: Date.now,
    pageSize: 1_000,
    unreachable: [],
  })
  return google
}

export const googleValues = ({ address }: Replay, scope = 'organizations/1337') => ({
  scope,
  serviceAccountKey: GOOGLE_KEY,
  tokenAddress: `${address}/token`,
  apiAddress: address,
})

const refused = (code: number, status: string, message: string, reason: string): ReplayAnswer => ({
  status: code,
  body: { error: { code, status, message, errors: [{ reason }], details: [{ reason }] } },
})
export const serviceDisabled = refused(
  403,
  'PERMISSION_DENIED',
  'API has not been used in project',
  'SERVICE_DISABLED',
)
export const computeThrottled = refused(403, '', 'Rate Limit Exceeded', 'rateLimitExceeded')
const notAllowed = refused(403, 'PERMISSION_DENIED', 'Required permission is missing', 'forbidden')
const expired = refused(
  401,
  'UNAUTHENTICATED',
  'Request had invalid authentication credentials.',
  'authError',
)

export const googleKeylessValues = ({ address }: Replay) => ({
  scope: 'organizations/1337',
  poolProvider: POOL_PROVIDER,
  serviceAccount: 'reader@project-0.iam.gserviceaccount.com',
  apiAddress: address,
})
const POOL_PROVIDER = 'projects/1000/locations/global/workloadIdentityPools/pool/providers/rollcall'

/** Security Token Service: the federated token says what came of it. */
async function exchange({ trusted }: GoogleReplay, { body }: ReplayCall): Promise<ReplayAnswer> {
  const { subjectToken, audience } = JSON.parse(body) as { subjectToken: string; audience: string }
  const verdict = await judgeToken(subjectToken, trusted, `https:${audience}`)
  return audience !== `//iam.googleapis.com/${POOL_PROVIDER}` || verdict === 'not verified'
    ? { status: 400, body: { error: 'invalid_grant', error_description: 'the token is not valid' } }
    : { body: { access_token: `federated ${verdict}`, token_type: 'Bearer', expires_in: 600 } }
}

/** IAM Service Account Credentials. */
function impersonate(tokens: Map<string, number>, { headers }: ReplayCall): ReplayAnswer {
  if (headers.authorization !== 'Bearer federated let in') return notAllowed
  const accessToken = `token-${tokens.size}`
  tokens.set(accessToken, Date.now() + 3_600_000)
  return { body: { accessToken, expireTime: new Date(Date.now() + 3_600_000).toISOString() } }
}

function answerTo(
  google: GoogleReplay,
  tokens: Map<string, number>,
  call: ReplayCall,
): ReplayAnswer | Promise<ReplayAnswer> {
  const { pathname, searchParams } = call.url
  if (pathname === '/v1/token') return exchange(google, call)
  if (pathname.endsWith(':generateAccessToken')) return impersonate(tokens, call)
  if (pathname === '/token') {
    if (new URLSearchParams(call.body).get('assertion')?.split('.').length !== 3)
      return { status: 400, body: { error: 'invalid_grant' } }
    return newToken(google, tokens)
  }
  if (pathname === '/computeMetadata/v1/instance/service-accounts/default/token')
    return call.headers['metadata-flavor'] === 'Google' ? newToken(google, tokens) : { status: 403, body: {} }
  const token = (call.headers.authorization ?? '').replace('Bearer ', '')
  if ((tokens.get(token) ?? 0) <= google.clock()) return expired
  const paged = <T>(all: readonly T[], name: string, more: object = {}): ReplayAnswer => {
    const { items, next } = pageOf(all, google.pageSize, searchParams.get('pageToken'))
    return { body: { [name]: items, ...(next && { nextPageToken: next }), ...more } }
  }
  if (pathname === '/v3/projects:search') return paged(projects, 'projects')
  if (pathname.endsWith('/assets'))
    return google.hasInventory
      ? paged(assetsOf(google, searchParams.getAll('assetTypes')), 'assets', {
          readTime: '2026-11-01T00:00:00Z',
        })
      : notAllowed
  const project = /\/projects\/([^/]+)\//.exec(pathname)?.[1] ?? searchParams.get('project') ?? ''
  if (pathname.startsWith('/compute/')) return aggregated(google, project, searchParams.get('pageToken'))
  if (pathname.startsWith('/sql/')) return paged([sql], 'items')
  if (pathname === '/storage/v1/b') return paged([bucket(project)], 'items')
  if (pathname.endsWith('/clusters')) return { body: { clusters: [cluster] } }
  if (pathname.endsWith('/functions')) return paged([functionOf(project)], 'functions')
  return { status: 404, body: { error: { code: 404, message: 'not found' } } }
}

function newToken(google: GoogleReplay, tokens: Map<string, number>): ReplayAnswer {
  const token = `token-${tokens.size}`
  tokens.set(token, google.clock() + google.tokenSeconds * 1_000)
  return { body: { access_token: token, expires_in: google.tokenSeconds, token_type: 'Bearer' } }
}

const sql = {
  name: 'sql-1',
  databaseVersion: 'POSTGRES_15',
  region: 'us-central1',
  state: 'RUNNABLE',
  settings: { tier: 'db-custom-2-7680', userLabels: { env: 'staging' } },
}
const cluster = {
  name: 'gke-1',
  location: 'europe-west2',
  currentMasterVersion: '1.31.7-gke.1',
  status: 'RUNNING',
}
const bucket = (project: string) => ({
  name: `bucket-${project}`,
  location: 'EU',
  storageClass: 'STANDARD',
  labels: {},
})
const functionOf = (project: string) => ({
  name: `projects/${project}/locations/us-east1/functions/function-1`,
  state: 'ACTIVE',
  environment: 'GEN_2',
  buildConfig: { runtime: 'python310' },
})

function instanceOf(project: string, { name, id, ip, status = 'RUNNING' }: GoogleMachine) {
  const zone = `https://www.googleapis.com/compute/v1/projects/${project}/zones/europe-west4-a`
  return {
    id,
    name,
    zone,
    selfLink: `${zone}/instances/${name}`,
    machineType: `${zone}/machineTypes/e2-micro`,
    status,
    labels: { env: 'prod' },
    networkInterfaces: [{ networkIP: ip, network: `${zone}/networks/default` }],
  }
}

const machinesIn = (google: GoogleReplay, project: string) =>
  project === 'project-0' ? google.machines.map((it) => instanceOf(project, it)) : []

function assetsOf(google: GoogleReplay, wanted: readonly string[]) {
  const all = projects
    .filter(({ state }) => state === 'ACTIVE')
    .flatMap(({ projectId: id, name: number }) => {
      const asset = (assetType: string, name: string, data: object) => ({
        name,
        assetType,
        resource: { version: 'v1', data },
        ancestors: [number, 'organizations/1337'],
      })
      return [
        ...machinesIn(google, id).map((it) =>
          asset(
            'compute.googleapis.com/Instance',
            it.selfLink.replace('https://www.googleapis.com/compute/v1', '//compute.googleapis.com'),
            it,
          ),
        ),
        asset(
          'sqladmin.googleapis.com/Instance',
          `//cloudsql.googleapis.com/projects/${id}/instances/sql-1`,
          sql,
        ),
        asset('storage.googleapis.com/Bucket', `//storage.googleapis.com/bucket-${id}`, bucket(id)),
        asset(
          'container.googleapis.com/Cluster',
          `//container.googleapis.com/projects/${id}/locations/europe-west2/clusters/gke-1`,
          cluster,
        ),
        asset(
          'cloudfunctions.googleapis.com/Function',
          `//cloudfunctions.googleapis.com/${functionOf(id).name}`,
          functionOf(id),
        ),
      ]
    })
  return all.filter(({ assetType }) => wanted.includes(assetType))
}

function aggregated(google: GoogleReplay, project: string, token: string | null): ReplayAnswer {
  const { items, next } = pageOf(machinesIn(google, project), google.pageSize, token)
  const silent = Object.fromEntries(
    google.unreachable.map((it) => [it, { warning: { code: 'UNREACHABLE' } }]),
  )
  const zones = {
    'zones/us-central1-a': { warning: { code: 'NO_RESULTS_ON_PAGE' } },
    ...silent,
    'zones/europe-west4-a': { instances: items },
  }
  const { unreachable } = google
  return {
    body: {
      items: zones,
      ...(next && { nextPageToken: next }),
      ...(unreachable.length > 0 && { unreachables: unreachable }),
    },
  }
}
