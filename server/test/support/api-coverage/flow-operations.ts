import { list, mutation, open, query, type Operation } from './operation.ts'

export const flowOperations: Readonly<Record<string, Operation>> = {
  flows: list('flows:read', '{ total items { id name enabled triggerKind lastTriggeredAt } }'),
  flow: query(
    'flows:read',
    (id) => `(id: "${id('flow')}") { id name description pausedReason publishedVersion }`,
  ),
  flowVersions: list('flows:read', (id) => `(id: "${id('flow')}") { n state definition runAs }`),
  flowRuns: list(
    'flows:read',
    (id) =>
      `(flowId: "${id('flow')}") { total items { id status cause reason causedBy { runId flowName depth } } }`,
  ),
  flowRun: query('flows:read', (id) => `(id: "${id('flowRun')}") { id status steps { path action status } }`),
  flowActions: open(
    '{ name label sentence settings needsAsset isSentOut outputs fields { name type pick } }',
  ),
  flowTriggers: open('{ kind label sentence settings }'),
  flowTriggerFields: query(
    'flows:read',
    () => '(trigger: { kind: "event", eventTypes: ["NEW_ASSET"] }) { name type }',
  ),
  flowConditionCompletions: query(
    'flows:read',
    () =>
      '(trigger: { kind: "event", eventTypes: ["NEW_ASSET"] }, text: "event.") { from suggestions { kind text } }',
  ),
  flowFaults: query('flows:read', () => '(definition: {}) { place message }'),
  flowScheduleTimes: query('flows:read', () => '(cron: "0 8 * * 1", zone: "UTC") { at local }'),
  flowHook: query('flows:read', (id) => `(flowId: "${id('webhookFlow')}") { createdAt isSigned }`),
  flowSecrets: list('flows:read', '{ name updatedAt }'),
  flowStop: query('flows:read', () => '{ reason }'),
  flowApprovals: list('approvals:read', '{ total items { id question state flowName } }'),
  flowApproval: query('approvals:read', (id) => `(id: "${id('flowApproval')}") { id question state }`),
  readyFlows: query('flows:read', () => '{ id name description definition }'),
  flowBackTest: query(
    'flows:read',
    (id) => `(id: "${id('flowBackTest')}") { id status total done result { runs summary } }`,
  ),
  latestFlowBackTest: query('flows:read', (id) => `(flowId: "${id('flow')}") { id status }`),
  exportFlow: query('flows:read', (id) => `(id: "${id('flow')}")`),
  flowEventMatches: query(
    'flows:write',
    () =>
      '(trigger: { kind: "event", eventTypes: ["NEW_ASSET"] }, condition: "event.asset_name: a") { events matching }',
  ),
  pastFlowEvents: query('flows:write', () => '(types: ["NEW_ASSET"]) { id type occurredAt payload before }'),
  startFlowBackTest: mutation('flows:write', (id) => `(flowId: "${id('flow')}") { id status }`),
  createReadyFlow: mutation('flows:write', () => '(id: "scan-finished") { flow { id } backTest { id } }'),
  importFlow: mutation(
    'flows:write',
    () =>
      '(file: { schema: "rollcall.flow/1", name: "f", definition: { trigger: { kind: "manual" }, steps: [{ action: "stop" }] } }) { id }',
  ),
  wouldChange: query(
    'assets:write',
    (id) =>
      `(mutation: "addAssetTags", with: { assetIds: ["${id('asset')}"], tags: ["x"] }) { total counts { kind count } }`,
  ),
  createFlow: mutation(
    'flows:write',
    () => '(name: "f", definition: { trigger: { kind: "manual" }, steps: [{ action: "stop" }] }) { id }',
  ),
  updateFlow: mutation('flows:write', (id) => `(id: "${id('flow')}", name: "g") { id name }`),
  publishFlow: mutation('flows:write', (id) => `(id: "${id('flow')}") { id publishedVersion }`),
  setFlowEnabled: mutation('flows:write', (id) => `(id: "${id('flow')}", enabled: false) { id enabled }`),
  archiveFlow: mutation('flows:write', (id) => `(id: "${id('flow')}")`),
  startFlow: mutation('flows:write', (id) => `(id: "${id('liveFlow')}", assetIds: ["${id('asset')}"])`),
  testFlow: mutation(
    'flows:write',
    (id) => `(id: "${id('flow')}", assetId: "${id('asset')}") { matches steps { path output } }`,
  ),
  rotateFlowHook: mutation('flows:write', (id) => `(flowId: "${id('webhookFlow')}") { path secret }`),
  setFlowSecret: mutation('flows:write', () => '(name: "word", value: "a longer text") { name }'),
  deleteFlowSecret: mutation('flows:write', (id) => `(name: "${id('flowSecret')}")`),
  stopFlows: mutation('flows:write', () => '(reason: "why") { reason }'),
  resumeFlows: mutation('flows:write', () => ''),
  rerunFlow: mutation('flows:write', (id) => `(runId: "${id('endedFlowRun')}", path: "steps[0]")`),
  decideFlowApproval: mutation(
    'approvals:write',
    (id) => `(id: "${id('flowApproval')}", decision: approve) { id state }`,
  ),
  decideFlowApprovals: mutation(
    'approvals:write',
    (id) => `(ids: ["${id('flowApproval')}"], decision: refuse)`,
  ),
  cancelFlowRun: mutation('flows:write', (id) => `(id: "${id('flowRun')}") { id status }`),
}
