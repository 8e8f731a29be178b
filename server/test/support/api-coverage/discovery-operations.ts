import { list, mutation, query, type Operation } from './operation.ts'

export const discoveryOperations: Readonly<Record<string, Operation>> = {
  discoveries: list('scans:read', '{ id name targetAddress types windows { days from to } nextAt }'),
  discovery: query('scans:read', (id) => `(id: "${id('discovery')}") { id name cron }`),
  discoveryRuns: list('scans:read', '{ total items { id name status share hostsFound } }'),
  discoveryRun: query('scans:read', (id) => `(id: "${id('discoveryRun')}") { id status message }`),
  discoveryHosts: query(
    'scans:read',
    (id) =>
      `(runId: "${id('discoveryRun')}") { total items { address outcome logins { type message } assetName } }`,
  ),
  discoveryTimes: query('scans:read', () => '(cron: "0 2 * * *", zone: "Europe/Berlin")'),
  createDiscovery: mutation('scans:write', (id) => `(name: "nightly", targetId: "${id('target')}") { id }`),
  updateDiscovery: mutation('scans:write', (id) => `(id: "${id('discovery')}", hostsAtOnce: 4) { id }`),
  deleteDiscovery: mutation('scans:write', (id) => `(id: "${id('discovery')}")`),
  startDiscovery: mutation('scans:write', (id) => `(id: "${id('discovery')}") { id }`),
  cancelDiscoveryRun: mutation('scans:write', (id) => `(id: "${id('discoveryRun')}") { id }`),
  scanNow: mutation(
    'scans:write',
    (id) => `(assetIds: ["${id('scannableAsset')}"]) { run { id } leftOut { why } }`,
  ),
}
