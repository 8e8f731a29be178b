import { createHash } from 'node:crypto'
import { judgeToken, type TrustedIssuer } from './identity-token.ts'
import { pageOf, startReplay, type Replay, type ReplayAnswer, type ReplayCall } from './replay.ts'

/**
 * Microsoft Entra, Resource Manager and Resource Graph. Rows are laid out as in the examples of Azure/azure-rest-api-specs
 * (MIT) and the reference of Resource Graph.
 */
export interface AzureReplay extends Replay {
  /** Named by the list of subscriptions: three that are open, one that is disabled, one that the principal may not read. */
  readonly subscriptions: AzureSubscription[]
  machines: AzureMachine[]
  /** Whether there is a machine of a scale set. */
  scaleSet: boolean
  /** Seconds for which a token is good. */
  tokenSeconds: number
  /** Milliseconds since 1970, by which tokens end. */
  clock: () => number
  pageSize: number
  /** Whose tokens the application takes as its federated credential. */
  trusted?: TrustedIssuer
}

interface AzureSubscription {
  readonly subscriptionId: string
  readonly displayName: string
  state: string
  isForbidden?: boolean
}

export interface AzureMachine {
  readonly name: string
  readonly vmId: string
  readonly ip?: string
  readonly mac?: string
  readonly power?: string
}

export const AZURE_SECRET = 'a-secret-of-a-client'
const subscriptionId = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`

export const vmIdOf = (name: string): string =>
  createHash('md5')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** `machines` of them in the first subscription, with the other types in each. */
export async function startAzure(machines = 3): Promise<AzureReplay> {
  const tokens = new Map<string, number>()
  const replay = await startReplay((call) => answerTo(azure, tokens, call))
  const azure: AzureReplay = Object.assign(replay, {
    subscriptions: [
      { subscriptionId: subscriptionId(1), displayName: 'production', state: 'Enabled' },
      { subscriptionId: subscriptionId(2), displayName: 'development', state: 'Warned' },
      { subscriptionId: subscriptionId(3), displayName: 'closed', state: 'Disabled' },
      { subscriptionId: subscriptionId(4), displayName: 'forbidden', state: 'Enabled', isForbidden: true },
    ],
    machines: Array.from({ length: machines }, (_, n) => ({
      name: `vm${n}`,
      vmId: vmIdOf(`vm${n}`),
      ip: `10.0.0.${n + 4}`,
    })),
    scaleSet: true,
    tokenSeconds: 3_600,
    clock: Date.now,
    pageSize: 1_000,
  })
  return azure
}

/** The values of a connection to it. */
export const azureValues = ({ address }: Replay) => ({
  directory: '31c75423-32d6-4322-88b7-c478bdde4858',
  clientId: '11111111-2222-4333-8444-555555555555',
  clientSecret: AZURE_SECRET,
  loginAddress: address,
  apiAddress: address,
})

function answerTo(
  azure: AzureReplay,
  tokens: Map<string, number>,
  call: ReplayCall,
): ReplayAnswer | Promise<ReplayAnswer> {
  const { pathname, searchParams } = call.url
  if (pathname.endsWith('/oauth2/v2.0/token')) return signIn(azure, tokens, call)
  if (pathname === '/metadata/identity/oauth2/token')
    return call.headers['metadata'] === 'true' ? newToken(azure, tokens) : { status: 400, body: {} }
  const token = (call.headers.authorization ?? '').replace('Bearer ', '')
  if ((tokens.get(token) ?? 0) <= azure.clock()) return expired
  if (pathname === '/providers/Microsoft.ResourceGraph/resources') return resourceGraph(azure, call)
  if (pathname === '/subscriptions') {
    const { items, next } = pageOf(azure.subscriptions, 2, searchParams.get('$skiptoken'))
    const nextLink = `${azure.address}/subscriptions?api-version=2022-12-01&$skiptoken=${next}`
    return { body: { value: items, ...(next && { nextLink }) } }
  }
  const of = /^\/subscriptions\/([^/]+)\/providers\//.exec(pathname)?.[1]
  const subscription = azure.subscriptions.find((it) => it.subscriptionId === of)
  if (subscription?.isForbidden) return forbidden
  return subscription ? { body: { value: [] } } : { status: 404, body: { error: { code: 'NotFound' } } }
}

async function signIn(
  azure: AzureReplay,
  tokens: Map<string, number>,
  { body }: ReplayCall,
): Promise<ReplayAnswer> {
  const form = new URLSearchParams(body)
  const assertion = form.get('client_assertion')
  const verdict =
    assertion === null ? undefined : await judgeToken(assertion, azure.trusted, 'api://AzureADTokenExchange')
  if (verdict === undefined && form.get('client_secret') !== AZURE_SECRET)
    return refusedSignIn('AADSTS7000215: Invalid client secret provided.')
  if (verdict !== undefined && verdict !== 'let in')
    return refusedSignIn('AADSTS700213: No matching federated identity record found for presented assertion.')
  return newToken(azure, tokens)
}

function newToken(azure: AzureReplay, tokens: Map<string, number>): ReplayAnswer {
  const token = `token-${tokens.size}`
  tokens.set(token, azure.clock() + azure.tokenSeconds * 1_000)
  return { body: { token_type: 'Bearer', expires_in: azure.tokenSeconds, access_token: token } }
}

const refusedSignIn = (why: string): ReplayAnswer => ({
  status: 401,
  body: { error: 'invalid_client', error_description: `${why}\r\nTrace ID: x` },
})

const expired: ReplayAnswer = {
  status: 401,
  body: {
    error: { code: 'ExpiredAuthenticationToken', message: 'The access token expiry UTC time is earlier.' },
  },
}
const forbidden: ReplayAnswer = {
  status: 403,
  body: {
    error: {
      code: 'AuthorizationFailed',
      message: 'The client does not have authorization to perform action.',
    },
  },
}
export const azureThrottled: ReplayAnswer = {
  status: 429,
  headers: { 'retry-after': '0' },
  body: { error: { code: 'RateLimiting', message: 'Please provide below info when asking for support' } },
}

/** Leaves out what the principal may not read, without an error, as the real one does. */
function resourceGraph(azure: AzureReplay, call: ReplayCall): ReplayAnswer {
  const { query, subscriptions, options } = JSON.parse(call.body) as {
    query: string
    subscriptions: string[]
    options: { $top: number; $skipToken?: string }
  }
  const open = azure.subscriptions.filter(
    (it) => subscriptions.includes(it.subscriptionId) && it.state !== 'Disabled' && !it.isForbidden,
  )
  const rows = query.startsWith('resourcecontainers')
    ? open.map(({ subscriptionId: id }) => ({ id: `/subscriptions/${id}`, subscriptionId: id }))
    : open.flatMap((it) => rowsOf(azure, it.subscriptionId)).filter(({ type }) => query.includes(`'${type}'`))
  const isFromTable = query.startsWith('computeresources')
    ? rows.filter(isScaleSet)
    : rows.filter((it) => !isScaleSet(it))
  const { items, next } = pageOf(isFromTable, Math.min(options.$top, azure.pageSize), options.$skipToken)
  return {
    body: {
      totalRecords: rows.length,
      data: items,
      resultTruncated: 'false',
      ...(next && { $skipToken: next }),
    },
  }
}

const isScaleSet = (row: object): boolean =>
  'type' in row && String(row.type).includes('virtualmachinescalesets')

function rowsOf(azure: AzureReplay, id: string) {
  const row = (provider: string, name: string, fields: object) => ({
    id: `/subscriptions/${id}/resourceGroups/rg1/providers/${provider}/${name}`,
    name,
    type: provider.toLowerCase(),
    kind: '',
    location: 'North Europe',
    subscriptionId: id,
    tags: null,
    ...fields,
  })
  const machines = id === subscriptionId(1) ? azure.machines.flatMap((it) => machineRows(id, it, row)) : []
  return [
    ...machines,
    row('Microsoft.Sql/servers/databases', 'db1', { kind: 'v12.0,user', properties: { status: 'Online' } }),
    row('Microsoft.Sql/servers/databases', 'master', {
      kind: 'v12.0,system',
      properties: { status: 'Online' },
    }),
    row('Microsoft.DBforPostgreSQL/flexibleServers', 'pg1', {
      properties: { state: 'Ready', version: '16' },
    }),
    row('Microsoft.Storage/storageAccounts', 'sto1', { properties: { provisioningState: 'Succeeded' } }),
    row('Microsoft.ContainerService/managedClusters', 'aks1', {
      properties: { powerState: { code: 'Running' } },
    }),
    row('Microsoft.Web/sites', 'func1', { kind: 'functionapp,linux', properties: { state: 'Running' } }),
    row('Microsoft.Web/sites', 'web1', { kind: 'app,linux', properties: { state: 'Running' } }),
    row('Microsoft.Web/sites', 'logic1', {
      kind: 'functionapp,workflowapp',
      properties: { state: 'Running' },
    }),
    ...(id === subscriptionId(1) && azure.scaleSet
      ? [
          row('Microsoft.Compute/virtualMachineScaleSets/virtualMachines', '0', {
            properties: {
              vmId: vmIdOf('scale-set'),
              extended: {
                instanceView: { computerName: 'vmss1000000', powerState: { code: 'PowerState/running' } },
              },
            },
          }),
        ]
      : []),
  ]
}

function machineRows(
  id: string,
  { name, vmId, ip, mac, power = 'running' }: AzureMachine,
  row: (provider: string, name: string, fields: object) => { id: string; type: string },
) {
  const nic = `/subscriptions/${id}/resourceGroups/RG1/providers/Microsoft.Network/networkInterfaces/${name}-nic`
  const machine = row('Microsoft.Compute/virtualMachines', name, {
    tags: { env: 'prod' },
    properties: {
      vmId,
      hardwareProfile: { vmSize: 'Standard_D2s_v3' },
      osProfile: { computerName: name },
      networkProfile: { networkInterfaces: [{ id: nic }] },
      extended: {
        instanceView: {
          computerName: name,
          osName: 'Windows Server 2022 Datacenter',
          osVersion: '10.0.20348.2340',
          powerState: { code: `PowerState/${power}` },
        },
      },
    },
  })
  const address =
    ip &&
    row('Microsoft.Network/networkInterfaces', `${name}-nic`, {
      properties: {
        ...(mac && { macAddress: mac }),
        virtualMachine: { id: machine.id.toUpperCase() },
        ipConfigurations: [{ properties: { privateIPAddress: ip } }],
      },
    })
  return [machine, ...(address ? [address] : [])]
}
