import { list, mutation, query, type Operation } from './operation.ts'

/** A connection to where nobody listens. */
const AZURE = `provider: Azure, signIn: "client_secret", values: [{ name: "directory", value: "d.example" },
  { name: "clientId", value: "11111111-2222-4333-8444-555555555555" }, { name: "clientSecret", value: "s" },
  { name: "loginAddress", value: "http://127.0.0.1:9" }]`

export const cloudOperations: Readonly<Record<string, Operation>> = {
  cloudResources: list(
    'cloud:read',
    '{ total items { id name provider assetId facts tags costs { month amount } } }',
  ),
  cloudCosts: list('cloud:read', '{ account month amount ofResources currency }'),
  cloudCostAccounts: list(
    'cloud:read',
    (id) => `(connectionId: "${id('cloudConnection')}") { account status reason }`,
  ),
  switchCloudCosts: mutation(
    'cloud:write',
    (id) => `(id: "${id('cloudConnection')}", isOn: false) { id readsCosts }`,
  ),
  cloudConnections: list('cloud:read', '{ id name provider externalId resources settings { name value } }'),
  cloudCoverage: list(
    'cloud:read',
    (id) => `(connectionId: "${id('cloudConnection')}") { total items { id status reason resources } }`,
  ),
  cloudProviders: query(
    'cloud:read',
    () =>
      '{ provider connectionId externalId issuer subject signIns { name warning hides instructions { title text } fields { name } } fields { name } }',
  ),
  testCloudConnection: mutation('cloud:write', () => `(${AZURE}) { what isAllowed isRefused }`),
  connectCloud: mutation('cloud:write', () => `(name: "c", isTested: true, ${AZURE}) { id }`),
  updateCloudConnection: mutation(
    'cloud:write',
    (id) => `(id: "${id('cloudConnection')}", name: "d") { id }`,
  ),
  deleteCloudConnection: mutation('cloud:write', (id) => `(id: "${id('cloudConnection')}")`),
  syncCloudConnection: mutation('cloud:write', (id) => `(id: "${id('cloudConnection')}") { id }`),
}
