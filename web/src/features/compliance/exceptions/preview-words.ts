import type { ComplianceExceptionPreviewData } from '#api/generated/checks.ts'
import { count } from '#lib/numbers.ts'

type Preview = ComplianceExceptionPreviewData['complianceExceptionPreview']

/** `Covers 3 failing assets of 20, 1 of them excepted already.` */
export function coveredInWords({
  assets,
  failing,
  excepted,
}: Pick<Preview, 'assets' | 'failing' | 'excepted'>) {
  if (failing === 0)
    return assets === null || assets === 0
      ? 'Covers nothing now.'
      : `Covers nothing now: none of ${count(assets)} ${assets === 1 ? 'asset' : 'assets'} fails.`
  const of = assets === null || assets === 1 ? '' : ` of ${count(assets)}`
  const already = excepted === 0 ? '' : `, ${count(excepted)} of them excepted already`
  return `Covers ${count(failing)} failing ${failing === 1 ? 'asset' : 'assets'}${of}${already}.`
}

const CONTROLS_NAMED = 4

/** `ID.AM-01 of NIST CSF becomes a warning, and 2 more.` */
export function changesInWords(controls: NonNullable<Preview['controls']>) {
  if (controls.length === 0) return 'No control changes its status.'
  const named = controls
    .slice(0, CONTROLS_NAMED)
    .map(({ controlId, before, after }) => `${controlId} (${before} → ${after})`)
  const more = controls.length - named.length
  return `Controls that change: ${named.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}.`
}
