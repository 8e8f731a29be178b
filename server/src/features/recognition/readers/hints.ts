import { readText } from './device-text.ts'
import type { Evidence, Signals } from '../signals.ts'
import { usualType, vendorName } from '../vendors/vendors.ts'

/** The maker makes one kind of thing. */
const SINGLE_PURPOSE_WORTH = 0.6
const MAKER_WORTH = 0.35

/** What the caller believes the maker and the model to be: worth most when the rules know the model. */
export function readHint(signals: Signals): Evidence | undefined {
  const vendor = vendorName(signals.vendor ?? '')
  const model = signals.model?.trim() ?? ''
  if (vendor === '' && model === '') return undefined
  const known = readText({ source: 'hint', text: `${vendor} ${model}` })
  if (known?.deviceType) return { ...known, vendor: vendor || known.vendor, model: model || known.model }
  const deviceType = usualType(vendor)
  const said = { source: 'hint', vendor: vendor || (known?.vendor ?? ''), model } as const
  return deviceType
    ? { ...said, confidence: SINGLE_PURPOSE_WORTH, deviceType }
    : { ...said, confidence: MAKER_WORTH }
}
