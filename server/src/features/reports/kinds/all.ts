import type { ReportType } from '../report.ts'
import { assetAudit } from './asset-audit.ts'
import { budgetForecast } from './budget-forecast.ts'
import { complianceReport } from './compliance-report.ts'
import { custom } from './custom.ts'
import { inventorySummary } from './inventory-summary.ts'
import type { ReportKind } from './kind.ts'
import { softwareLicense } from './software-license.ts'
import { topology } from './topology.ts'

export const reportKinds: Readonly<Record<ReportType, ReportKind>> = {
  inventory_summary: inventorySummary,
  compliance_report: complianceReport,
  asset_audit: assetAudit,
  software_license: softwareLicense,
  topology,
  budget_forecast: budgetForecast,
  custom,
}
