import type { DeviceType } from '../device-types.ts'
import { deepest, makerOf, products, type Branch } from '../vendors/products.ts'
import { readText } from './device-text.ts'
import type { Evidence } from '../signals.ts'
import { usualType } from '../vendors/vendors.ts'

/** A known model in the table. */
const MODEL_WORTH = 0.95
/** The branch of one product line, or of a maker who makes one kind of thing. */
const LINE_WORTH = 0.8
/** The maker alone; one who makes mostly one kind of thing. */
const MAKER_WORTH = 0.5
const USUAL_WORTH = 0.6

const ENTERPRISES = '1.3.6.1.4.1.'

/**
 * What the sysObjectID of SNMP (RFC 3418) says: the branch below an IANA enterprise number belongs to a maker, who
 * gives each model, or each line of models, a branch of its own. The deepest known branch decides.
 */
export function readSysObjectId(text: string): Evidence | undefined {
  const oid = text
    .trim()
    .replace(/^\./, '')
    .replace(/^iso\./, '1.')
    .replace(/^(SNMPv2-SMI::)?enterprises\./i, ENTERPRISES)
  if (!oid.startsWith(ENTERPRISES) || oid.length > OID_LENGTH_MAX) return undefined
  const branch = oid.slice(ENTERPRISES.length)
  const vendor = makerOf(branch)
  if (vendor === undefined) return undefined
  const line = deepest(branch, ({ type }) => type !== undefined)
  const product = products().get(branch)
  return product === undefined ? lineOf(vendor, line) : modelOf(vendor, product, line)
}

const OID_LENGTH_MAX = 256

function lineOf(vendor: string, line: Branch | undefined): Evidence {
  const said = { source: 'snmp_sysobjectid', vendor, model: '' } as const
  if (line?.type) return { ...said, confidence: LINE_WORTH, deviceType: line.type }
  const deviceType = usualType(vendor)
  return deviceType ? { ...said, confidence: USUAL_WORTH, deviceType } : { ...said, confidence: MAKER_WORTH }
}

/** What the maker says of a model decides, then the model's name, and only then the branch that it stands in. */
function modelOf(vendor: string, product: string, line: Branch | undefined): Evidence {
  const [model, type] = product.split('\t') as [string, DeviceType?]
  const deviceType =
    type ?? readText({ source: 'hint', text: `${vendor} ${model}` })?.deviceType ?? line?.type
  return {
    source: 'snmp_sysobjectid',
    vendor,
    model,
    confidence: deviceType === undefined ? MAKER_WORTH : MODEL_WORTH,
    ...(deviceType && { deviceType }),
  }
}
