/** How a test asks for each query and mutation, given a way to an id of each noun. A new one is added here, or tests fail. */
export type IdOf = (noun: Noun) => string
export const nouns = [
  'asset',
  'otherAsset',
  'observation',
  'customField',
  'phone',
  'otherPhone',
  'rememberedName',
  'group',
  'place',
  'contract',
  'entitlement',
  'attachment',
  'relation',
  'view',
  'finding',
  'override',
  'bulkChange',
  'endedBulkChange',
  'target',
  'scan',
  'discovery',
  'discoveryRun',
  'scannableAsset',
  'import',
  'report',
  'reportSnapshot',
  'cloudConnection',
  'credential',
  'hostKey',
  'waitingHostKey',
  'knownHost',
  'apiKey',
  'agent',
  'enrolmentToken',
  'collector',
  'webhook',
  'delivery',
  'partner',
  'partnerKey',
  'partnerWebhook',
  'role',
  'user',
  'invitation',
  'ownCheck',
  'exception',
  'waitingException',
  'controlEvidence',
  'upgradedCopy',
  'draftStatement',
  'reviewedStatement',
  'approvedStatement',
  'flow',
  'liveFlow',
  'flowRun',
  'noticeChannel',
  'endedFlowRun',
  'flowBackTest',
  'webhookFlow',
  'flowSecret',
  'flowApproval',
  'noticeRule',
] as const
export type Noun = (typeof nouns)[number]

export interface Operation {
  readonly kind: 'query' | 'mutation'
  /** After the field's name. */
  readonly text: (id: IdOf) => string
  /** Of the tenant's permissions; absent: whoever is signed in. */
  readonly permission?: string
  /** Who may read any list may ask, and is told of that list. */
  readonly isOfAnyList?: true
  /** Its list of things may be longer without further questions to the database. */
  readonly isList?: true
}

export const query = (permission: string, text: (id: IdOf) => string): Operation => ({
  kind: 'query',
  permission,
  text,
})
export const list = (permission: string, text: string | ((id: IdOf) => string)): Operation => ({
  ...query(permission, typeof text === 'string' ? () => text : text),
  isList: true,
})
export const open = (text: string): Operation => ({ kind: 'query', text: () => text })
export const mutation = (permission: string, text: (id: IdOf) => string): Operation => ({
  kind: 'mutation',
  permission,
  text,
})
