import { list, mutation, query, type IdOf, type Operation } from './operation.ts'

const ASSET = 'id name tags lastSeen'
const two = (id: IdOf) => `assetIdA: "${id('asset')}", assetIdB: "${id('otherAsset')}"`
const tagging = (id: IdOf) => `(assetIds: ["${id('asset')}"], tags: ["t"]) { ${ASSET} }`

/** About assets, what people record of them, and how they hang together. */
export const assetOperations: Readonly<Record<string, Operation>> = {
  assets: list('assets:read', `{ total items { ${ASSET} } }`),
  asset: query(
    'assets:read',
    (id) => `(id: "${id('asset')}") { id observations { id identifiers { value } } attributes
    { offers { value } } recognition { deviceType matches { source } signals { name } } links { score } constraints { kind } ignoredValues { value } interfaces { mac }
    customFields { value field { name } } }`,
  ),
  overview: list(
    'assets:read',
    '{ total byType { count } bySource { name count } byFreshness { count } newThisWeek }',
  ),
  possibleDuplicates: list(
    'assets:read',
    '{ total items { assetA { name } assetB { name } score suggestion { by reason at } } }',
  ),
  previewMerge: query('assets:write', (id) => `(${two(id)}) { ${ASSET} }`),
  previewUnlink: query(
    'assets:write',
    (id) => `(assetId: "${id('asset')}", observationIds: ["${id('observation')}"]) { remaining { id } }`,
  ),
  customFields: list('assets:read', '{ id name key kind }'),
  customFieldValues: query(
    'assets:read',
    (id) => `(assetIds: ["${id('asset')}"], fieldIds: ["${id('customField')}"]) { assetId fieldId value }`,
  ),
  assetGroups: list('assets:read', '{ id name condition }'),
  assetGroupUses: list('assets:read', '{ groupId kind id name }'),
  createAssetGroup: mutation('assets:write', () => '(name: "g", condition: "has serial") { id }'),
  updateAssetGroup: mutation('assets:write', (id) => `(id: "${id('group')}", description: "d") { id }`),
  deleteAssetGroup: mutation('assets:write', (id) => `(id: "${id('group')}")`),
  assetTags: list('assets:read', '{ tag count }'),
  savedViews: { ...list('assets:read', '{ id name view }'), isOfAnyList: true },
  mergeAssets: mutation('assets:write', (id) => `(${two(id)}) { ${ASSET} }`),
  mergeAssetsByName: mutation(
    'assets:write',
    (id) => `(assetIdA: "${id('phone')}", assetIdB: "${id('otherPhone')}") { ${ASSET} }`,
  ),
  rememberedNames: list('assets:read', '{ id name scope reason by at }'),
  forgetName: mutation('assets:write', (id) => `(id: "${id('rememberedName')}")`),
  keepAssetsApart: mutation('assets:write', (id) => `(${two(id)})`),
  undoKeepAssetsApart: mutation('assets:write', (id) => `(${two(id)})`),
  suggestAssetMerge: mutation('assets:write', (id) => `(${two(id)})`),
  unlinkAssetObservations: mutation(
    'assets:write',
    (id) => `(assetId: "${id('asset')}", observationIds: ["${id('observation')}"]) { ${ASSET} }`,
  ),
  deleteAsset: mutation('assets:write', (id) => `(id: "${id('asset')}")`),
  archiveAsset: mutation('assets:write', (id) => `(id: "${id('asset')}") { id archivedAt }`),
  reviveAsset: mutation('assets:write', (id) => `(id: "${id('asset')}") { id archivedAt }`),
  archiveRules: list('assets:read', '{ sourceKind days }'),
  previewArchiveRules: query('assets:read', () => '(rules: [{ sourceKind: "sweep", days: 30 }])'),
  setArchiveRules: mutation('settings:write', () => '(rules: [{ days: 30 }]) { sourceKind days }'),
  setAssetTags: mutation('assets:write', tagging),
  addAssetTags: mutation('assets:write', tagging),
  removeAssetTags: mutation('assets:write', tagging),
  setAssetAttribute: mutation(
    'assets:write',
    (id) => `(assetId: "${id('asset')}", attribute: os, value: "x") { ${ASSET} }`,
  ),
  clearAssetAttribute: mutation(
    'assets:write',
    (id) => `(assetId: "${id('asset')}", attribute: os) { ${ASSET} }`,
  ),
  defineCustomField: mutation('assets:write', () => '(name: "f", kind: text) { id }'),
  setCustomField: mutation(
    'assets:write',
    (id) => `(assetId: "${id('asset')}", fieldId: "${id('customField')}", value: "x") { id }`,
  ),
  clearCustomField: mutation(
    'assets:write',
    (id) => `(assetId: "${id('asset')}", fieldId: "${id('customField')}") { id }`,
  ),
  updateCustomField: mutation(
    'assets:write',
    (id) => `(id: "${id('customField')}", name: "g") { id choices }`,
  ),
  orderCustomFields: mutation('assets:write', (id) => `(ids: ["${id('customField')}"]) { id }`),
  deleteCustomField: mutation('assets:write', (id) => `(id: "${id('customField')}")`),
  setCustomFieldOfAssets: mutation(
    'assets:write',
    (id) => `(assetIds: ["${id('asset')}"], fieldId: "${id('customField')}", value: "x")`,
  ),
  createAsset: mutation('assets:write', () => '(name: "Projector") { id name isNew }'),
  saveView: mutation('assets:read', () => '(name: "v", view: 1) { id }'),
  deleteView: { ...mutation('assets:read', (id) => `(id: "${id('view')}")`), isOfAnyList: true },

  assetRecord: query(
    'assets:read',
    (id) => `(assetId: "${id('asset')}") { owner place { path } origins { field by } }`,
  ),
  recordValues: list('assets:read', '(field: department) { value assets }'),
  setAssetRecord: mutation(
    'assets:write',
    (id) =>
      `(assetIds: ["${id('asset')}"], values: { owner: "o", placeId: "${id('place')}" }) { assetId owner }`,
  ),
  assetRelations: query('assets:read', (id) => `(assetId: "${id('asset')}") { id kind other port lastSeen }`),
  topologyLinks: list('assets:read', '{ total items { aName bName kind lastSeen } }'),
  topologyMap: query(
    'assets:read',
    () => '(layer: links) { devices nodes { id name site } links { a b kinds } }',
  ),
  addAssetRelation: mutation(
    'assets:write',
    (id) => `(fromId: "${id('asset')}", kind: runs_on, toId: "${id('otherAsset')}") { id }`,
  ),
  removeAssetRelation: mutation('assets:write', (id) => `(id: "${id('relation')}")`),
  contracts: list('assets:read', '{ id name ends }'),
  saveContract: mutation('assets:write', () => '(name: "c") { id }'),
  deleteContract: mutation('assets:write', (id) => `(id: "${id('contract')}")`),
  entitlements: list('assets:read', '{ id product used contract }'),
  entitlementUses: query(
    'assets:read',
    (id) => `(entitlementId: "${id('entitlement')}") { id assetName person }`,
  ),
  saveEntitlement: mutation(
    'assets:write',
    (id) => `(product: "p", metric: device, contractId: "${id('contract')}") { id }`,
  ),
  deleteEntitlement: mutation('assets:write', (id) => `(id: "${id('entitlement')}")`),
  assignEntitlement: mutation(
    'assets:write',
    (id) => `(entitlementId: "${id('entitlement')}", assetIds: ["${id('asset')}"]) { used }`,
  ),
  unassignEntitlement: mutation(
    'assets:write',
    (id) => `(entitlementId: "${id('entitlement')}", useIds: []) { used }`,
  ),
  attachments: query('assets:read', (id) => `(assetId: "${id('asset')}") { id name mediaType }`),
  deleteAttachment: mutation('assets:write', (id) => `(id: "${id('attachment')}")`),
  places: list('assets:read', '{ id path networks }'),
  createPlace: mutation('assets:write', () => '(name: "p", kind: site) { id }'),
  updatePlace: mutation('assets:write', (id) => `(id: "${id('place')}", name: "q") { id name }`),
  deletePlace: mutation('assets:write', (id) => `(id: "${id('place')}")`),
}
