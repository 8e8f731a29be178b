import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { json } from 'node:stream/consumers'

/**
 * A process that answers as Entra, Resource Manager and Resource Graph do, from rows that are made page by page. It tells
 * its parent its address, and each page of machines that it sends.
 */
export interface EstateOrders {
  readonly machines: number
  readonly storages: number
  /** What each answer takes. */
  readonly answerMs: number
}

export type EstateMessage = { readonly address: string } | { readonly machinePage: number }

const SUBSCRIPTION = '00000000-0000-4000-8000-000000000001'
const orders = JSON.parse(process.argv[2] ?? '') as EstateOrders

const server = createServer((request, response) => {
  void answer(request).then(
    (body) => send(response, body),
    () => response.destroy(),
  )
})
server.listen(0, '127.0.0.1', () => {
  tell({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})
process.on('disconnect', () => process.exit())

async function answer(request: IncomingMessage): Promise<object> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  await sleep(orders.answerMs)
  if (pathname.endsWith('/oauth2/v2.0/token')) return { access_token: 'token', expires_in: 3_600 }
  if (pathname === '/subscriptions')
    return { value: [{ subscriptionId: SUBSCRIPTION, displayName: 'production', state: 'Enabled' }] }
  if (!pathname.endsWith('/Microsoft.ResourceGraph/resources')) return { value: [] }
  const { query, options } = (await json(request)) as GraphQuery
  return page(query, options)
}

interface GraphQuery {
  readonly query: string
  readonly options: { readonly $top: number; readonly $skipToken?: string }
}

function page(query: string, { $top, $skipToken = '0' }: GraphQuery['options']): object {
  if (query.startsWith('resourcecontainers')) return { data: [{ id: 's', subscriptionId: SUBSCRIPTION }] }
  const isMachines = query.startsWith('resources') && query.includes("'microsoft.compute/virtualmachines'")
  const isNetwork = query.includes("'microsoft.network/networkinterfaces'")
  const isStorage = query.includes("'microsoft.storage/storageaccounts'")
  const count = isMachines || isNetwork ? orders.machines : isStorage ? orders.storages : 0
  const from = Number($skipToken)
  const until = Math.min(from + $top, count)
  if (isMachines) tell({ machinePage: from / $top + 1 })
  const row = isMachines ? machine : isNetwork ? networkInterface : storage
  return {
    data: Array.from({ length: Math.max(0, until - from) }, (_, n) => row(from + n)),
    resultTruncated: 'false',
    ...(until < count && { $skipToken: String(until) }),
  }
}

const idOf = (type: string, name: string): string =>
  `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg1/providers/${type}/${name}`

const common = {
  kind: '',
  location: 'westeurope',
  subscriptionId: SUBSCRIPTION,
  tags: { env: 'prod', team: 'shop' },
}

const machine = (n: number) => ({
  ...common,
  id: idOf('Microsoft.Compute/virtualMachines', `vm-${n}`),
  name: `vm-${n}`,
  type: 'microsoft.compute/virtualmachines',
  properties: {
    vmId: `00000000-0000-4000-9000-${n.toString(16).padStart(12, '0')}`,
    hardwareProfile: { vmSize: 'Standard_D2s_v3' },
    osProfile: { computerName: `vm-${n}` },
    networkProfile: { networkInterfaces: [{ id: idOf('Microsoft.Network/networkInterfaces', `nic-${n}`) }] },
    extended: { instanceView: { computerName: `vm-${n}`, powerState: { code: 'PowerState/running' } } },
  },
})

const networkInterface = (n: number) => ({
  ...common,
  id: idOf('Microsoft.Network/networkInterfaces', `nic-${n}`),
  name: `nic-${n}`,
  type: 'microsoft.network/networkinterfaces',
  properties: {
    macAddress: `00-0D-3A-${[n >> 16, n >> 8, n].map((it) => (it & 255).toString(16).padStart(2, '0')).join('-')}`,
    virtualMachine: { id: idOf('Microsoft.Compute/virtualMachines', `vm-${n}`) },
    ipConfigurations: [
      { properties: { privateIPAddress: `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` } },
    ],
  },
})

const storage = (n: number) => ({
  ...common,
  id: idOf('Microsoft.Storage/storageAccounts', `sto${n}`),
  name: `sto${n}`,
  type: 'microsoft.storage/storageaccounts',
  properties: { provisioningState: 'Succeeded' },
})

function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function tell(message: EstateMessage): void {
  process.send?.(message)
}
