import { list, mutation, query, type Operation } from './operation.ts'

/** Within a year, as exceptions and attestations must be. */
const SOON = new Date(Date.now() + 86_400_000).toISOString()
const CHECK = `check: { title: "t", condition: "has serial", severity: low, controls: [{ framework: "nist-csf-2.0", controlId: "GV.PO-01" }] }`

export const complianceOperations: Readonly<Record<string, Operation>> = {
  complianceFrameworks: list(
    'compliance:read',
    '{ slug title controls judgeable adoptedAt fail score coverage }',
  ),
  complianceControls: list('compliance:read', '(framework: "nist-csf-2.0") { id title status why }'),
  complianceControl: query(
    'compliance:read',
    () => `(framework: "nist-csf-2.0", id: "GV.PO-01") { id frameworkTitle status text licensedTitle why judgedBy { id title next sentence } attestation { statement }
    history { from to changedAt } }`,
  ),
  complianceChecks: list('compliance:read', '(framework: "nist-csf-2.0") { id title status failed next }'),
  checks: list('compliance:read', '(sort: "-failed") { total items { id title status failed frameworks } }'),
  controls: list(
    'compliance:read',
    '(where: "has status") { total items { id framework controlId title status why } }',
  ),
  complianceCheckAssets: list(
    'compliance:read',
    (id) => `(checkId: "${id('ownCheck')}") { total items { assetId name outcome since } }`,
  ),
  complianceCheckPreview: query(
    'compliance:read',
    () => '(condition: "has serial") { inScope ok failed unknown }',
  ),
  complianceExceptions: list(
    'compliance:read',
    '{ total items { id title assetName where reason state createdBy } }',
  ),
  complianceExceptionPreview: query(
    'compliance:read',
    () =>
      '(checkId: "no-telnet", where: "has serial") { assets failing excepted listed { id name } controls { controlId before after } }',
  ),
  complianceExceptionsNeedApproval: query('compliance:read', () => ''),
  adoptFramework: mutation('compliance:write', () => '(framework: "nist-csf-2.0")'),
  dropFramework: mutation('compliance:write', () => '(framework: "nist-csf-2.0")'),
  attestControl: mutation(
    'compliance:write',
    () =>
      `(framework: "nist-csf-2.0", controlId: "GV.PO-02", statement: "s", validUntil: "${SOON}") { id statement }`,
  ),
  withdrawAttestation: mutation(
    'compliance:write',
    () => '(framework: "nist-csf-2.0", controlId: "GV.PO-02") { id status }',
  ),
  createComplianceCheck: mutation('compliance:write', () => `(${CHECK}) { id title }`),
  updateComplianceCheck: mutation(
    'compliance:write',
    (id) => `(id: "${id('ownCheck')}", ${CHECK}) { id revision }`,
  ),
  deleteComplianceCheck: mutation('compliance:write', (id) => `(id: "${id('ownCheck')}")`),
  copyComplianceCheck: mutation('compliance:write', () => '(id: "no-ftp") { id title }'),
  decideComplianceCheckUpgrade: mutation(
    'compliance:write',
    (id) => `(id: "${id('upgradedCopy')}", take: true) { id revision }`,
  ),
  setComplianceCheck: mutation(
    'compliance:write',
    () => '(framework: "nist-csf-2.0", checkId: "no-x11", isOff: false, tolerance: "1") { framework isOff }',
  ),
  complianceTextImports: list('compliance:read', '{ framework isExported importedAt importedBy controls }'),
  importComplianceTexts: mutation(
    'compliance:write',
    () => '(framework: "cra-annex-1", rows: "id,title,text\\nI.1,t,x", isExported: false)',
  ),
  removeComplianceTexts: mutation('compliance:write', () => '(framework: "soc-2")'),
  createComplianceException: mutation(
    'compliance:write',
    (id) =>
      `(checkId: "no-telnet", assetId: "${id('asset')}", reason: "r", expiresAt: "${SOON}") { id state }`,
  ),
  approveComplianceException: mutation(
    'compliance:write',
    (id) => `(id: "${id('waitingException')}") { id state }`,
  ),
  endComplianceException: mutation(
    'compliance:write',
    (id) => `(id: "${id('exception')}", reason: "r") { id state }`,
  ),
  setComplianceExceptionsNeedApproval: mutation('settings:write', () => '(needed: false)'),
  complianceCheck: query(
    'compliance:read',
    (id) =>
      `(id: "${id('ownCheck')}") { check { id title copiedFrom } countsFor { framework frameworkTitle controlId status } settings { framework } asks { name source } upgrade { field own } }`,
  ),
  complianceCheckChange: query(
    'compliance:read',
    (id) =>
      `(checkId: "${id('ownCheck')}", condition: "has serial") { moves { before after assets } assets { assetId name } }`,
  ),
  complianceOfAsset: query(
    'compliance:read',
    (id) =>
      `(assetId: "${id('asset')}") { checkId title outcome controls { controlId } asks { name source } }`,
  ),
  complianceControlAssets: list(
    'compliance:read',
    '(framework: "nist-csf-2.0", id: "GV.PO-01") { total items { assetId name outcome } }',
  ),
  complianceMonths: list('compliance:read', '(framework: "nist-csf-2.0") { at pass warning fail }'),
  complianceEvidence: list(
    'compliance:read',
    '(framework: "nist-csf-2.0", id: "GV.PO-01") { id recordedAt digest }',
  ),
  complianceEvidenceProof: query('compliance:read', (id) => `(id: "${id('controlEvidence')}")`),
  recordComplianceEvidence: mutation('compliance:write', () => '(framework: "nist-csf-2.0", id: "GV.PO-01")'),
  complianceStatements: list('compliance:read', '{ id framework frameworkTitle version state }'),
  complianceStatement: query('compliance:read', (id) => `(id: "${id('draftStatement')}") { id state }`),
  complianceStatementRows: list(
    'compliance:read',
    (id) => `(id: "${id('draftStatement')}") { controlId title isApplicable implementation }`,
  ),
  complianceStatementDifferences: list(
    'compliance:read',
    (id) =>
      `(before: "${id('draftStatement')}", after: "${id('draftStatement')}") { controlId before { owner } after { owner } }`,
  ),
  complianceStatementProof: query('compliance:read', (id) => `(id: "${id('approvedStatement')}")`),
  draftComplianceStatement: mutation('compliance:write', () => '(framework: "cis-8.1") { id state }'),
  editComplianceStatement: mutation(
    'compliance:write',
    (id) => `(id: "${id('draftStatement')}", controlIds: ["21.2.a"], edit: { owner: "o" })`,
  ),
  pasteComplianceStatement: mutation(
    'compliance:write',
    (id) => `(id: "${id('draftStatement')}", rows: "control\\towner\\n21.2.a\\to")`,
  ),
  submitComplianceStatement: mutation(
    'compliance:write',
    (id) => `(id: "${id('draftStatement')}") { id state }`,
  ),
  returnComplianceStatement: mutation(
    'compliance:write',
    (id) => `(id: "${id('reviewedStatement')}") { id state }`,
  ),
  approveComplianceStatement: mutation(
    'statements:approve',
    (id) => `(id: "${id('reviewedStatement')}", role: "CISO") { id state }`,
  ),
  exportComplianceStatement: mutation(
    'compliance:read',
    (id) => `(id: "${id('draftStatement')}", format: csv) { fileName content }`,
  ),
  exportComplianceAssessment: mutation(
    'compliance:read',
    () => `(framework: "nist-csf-2.0") { fileName content }`,
  ),
}
