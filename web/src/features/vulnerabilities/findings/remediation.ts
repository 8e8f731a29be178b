import type { FindingData } from '#api/generated/vulnerabilities.ts'

type Finding = Pick<FindingData['finding'], 'status' | 'fixedVersion' | 'attributions'>

/** How to fix an open finding; undefined for a closed one. */
export function remediationOf({ status, fixedVersion, attributions }: Finding): string | undefined {
  if (status !== 'open') return undefined
  const living = attributions.filter(({ endedAt }) => endedAt === null)
  const software = new Set(living.map((it) => it.software))
  const all = software.size > 1 ? `, and all ${software.size} listed below` : ''
  const update =
    fixedVersion === ''
      ? 'No fix is known: removing the software closes it'
      : `Version ${fixedVersion} or later${all} closes it`
  return `${update}, as soon as a scan or an import lists it so; an override does as well.`
}
