import { recognize, signalsOf } from '#features/recognition/recognition.ts'
import type { Attributes } from './attributes.ts'
import { makerOf } from './identifiers.ts'
import type { AssetType, Identifier, IdentifierType, Json } from './observation.ts'
import type { Observed } from './record.ts'

/** What a thing is, told from all its signals together. An empty text is not known. */
export interface Identification {
  readonly vendor: string
  readonly model: string
  /** 0 to 1: how sure it is. */
  readonly confidence: number
}

/** Maker and model as sources say; what they leave out, as recognition reads it. */
export function identify(members: readonly Observed[], values: Attributes): Identification {
  const { assetType, vendor = '', model = '' } = values
  if (assetType !== undefined && !deviceLike.has(assetType)) return { vendor, model, confidence: CERTAIN }
  const found = recognize(
    signalsOf({ ...values, identifiers: identifiersIn(values), facts: factsOf(members) }),
  )
  const agrees = vendor === '' || makerOf(vendor) === makerOf(found.vendor)
  return {
    vendor: vendor || found.vendor,
    model: model || (agrees ? found.model : ''),
    confidence: found.confidence,
  }
}

/** Of the rest, who says that there is one also says what it is: a hypervisor, a cloud, a directory. */
const deviceLike: ReadonlySet<AssetType> = new Set<AssetType>(['device', 'ot_device'])
const CERTAIN = 1

function identifiersIn({ hostname, macAddress, ipAddress }: Attributes): Identifier[] {
  const found: [IdentifierType, string | undefined][] = [
    ['hostname', hostname],
    ['mac', macAddress],
    ['ip', ipAddress],
  ]
  return found.flatMap(([type, value]) => (value === undefined ? [] : [{ type, value }]))
}

/** Of facts of one name the same one in any order of the members. */
function factsOf(members: readonly Observed[]): Readonly<Record<string, Json>> {
  const [only, other] = members
  if (!other) return only?.said.facts ?? {}
  const inOrder = members.toSorted((x, y) => (keyOf(x) < keyOf(y) ? -1 : 1))
  return Object.assign({}, ...inOrder.map(({ said }) => said.facts)) as Record<string, Json>
}

const keyOf = ({ source, sourceKey }: Observed): string => `${source.kind} ${source.name} ${sourceKey}`
