import { advisories } from '#features/advisories/feature.ts'
import { agents } from '#features/agents/feature.ts'
import { apiKeys } from '#features/api-keys/feature.ts'
import { assets } from '#features/assets/feature.ts'
import { audit } from '#features/audit/feature.ts'
import { bulkChanges } from '#features/bulk-changes/feature.ts'
import { changes } from '#features/changes/feature.ts'
import { cloud } from '#features/cloud/feature.ts'
import { collectors } from '#features/collectors/feature.ts'
import { conditions } from '#features/conditions/feature.ts'
import { compliance } from '#features/compliance/feature.ts'
import { credentials } from '#features/credentials/feature.ts'
import { demo } from '#features/demo/feature.ts'
import { discoveries } from '#features/discoveries/feature.ts'
import { events } from '#features/events/feature.ts'
import { flows } from '#features/flows/feature.ts'
import { imports } from '#features/imports/feature.ts'
import { lifecycles } from '#features/lifecycles/feature.ts'
import { noticeRules } from '#features/notice-rules/feature.ts'
import { notices } from '#features/notices/feature.ts'
import { partners } from '#features/partners/feature.ts'
import { recognition } from '#features/recognition/feature.ts'
import { records } from '#features/records/feature.ts'
import { reports } from '#features/reports/feature.ts'
import { scans } from '#features/scans/feature.ts'
import { software } from '#features/software/feature.ts'
import { sources } from '#features/sources/feature.ts'
import { tenancy } from '#features/tenancy/feature.ts'
import { topology } from '#features/topology/feature.ts'
import { vulnerabilities } from '#features/vulnerabilities/feature.ts'
import { webhooks } from '#features/webhooks/feature.ts'
import type { Feature } from '#platform/feature.ts'

/** The order: a feature may call only the features above it. */
export const features: readonly Feature[] = [
  audit,
  tenancy,
  apiKeys,
  events,
  webhooks,
  conditions,
  changes,
  notices,
  credentials,
  recognition,
  assets,
  records,
  topology,
  software,
  advisories,
  lifecycles,
  vulnerabilities,
  bulkChanges,
  sources,
  agents,
  compliance,
  cloud,
  collectors,
  scans,
  discoveries,
  imports,
  reports,
  partners,
  flows,
  noticeRules,
  demo,
]
