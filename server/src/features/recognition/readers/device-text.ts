import type { DeviceType } from '../device-types.ts'
import { holdingRules, makers, type Holding } from '../rules.ts'
import { textWorth, type Evidence, type Text, type TextSource } from '../signals.ts'

/** Longer texts are read up to here. */
export const TEXT_MAX = 4_096

/** Evidence from a device's own text: the rule with the highest confidence decides, others fill in missing values. */
export function readText({ source, text }: Text): Evidence | undefined {
  const holding = settled(holdingRules(source, plain(text))).toSorted(bySurety)
  const typed = holding.find(({ rule }) => rule.type !== undefined)
  const kind = typed ? { type: typed.rule.type, sure: typed.sure } : spoken[source]
  const decisive = typed ?? holding[0]
  if (!kind && !decisive) return undefined
  const vendor =
    decisive?.rule.vendor ?? holding.find(({ rule }) => rule.vendor !== undefined)?.rule.vendor ?? ''
  return {
    source,
    confidence: textWorth[source] * (kind?.sure ?? decisive?.sure ?? 0),
    ...(kind?.type && { deviceType: kind.type }),
    vendor,
    model: source === 'hostname' ? '' : decisive?.model || modelFrom(holding, vendor, kind?.type),
  }
}

/** Protocols that hardly anything else speaks: whatever the text, it says this much. */
const spoken: Readonly<Partial<Record<TextSource, { readonly type: DeviceType; readonly sure: number }>>> = {
  pjl: { type: 'printer', sure: 0.95 },
  ipp: { type: 'printer', sure: 0.9 },
  rtsp: { type: 'camera', sure: 0.6 },
}

/** A rule of one maker counts less in a text that names another: their model numbers look alike. */
const DISPUTED = 0.85

function settled(holding: readonly Holding[]): Holding[] {
  const named = new Set(holding.filter(({ rule }) => makers.has(rule)).map(({ rule }) => rule.vendor))
  const isDisputed = ({ rule }: Holding): boolean =>
    named.size > 0 && rule.vendor !== undefined && !named.has(rule.vendor)
  return holding.map((each) => (isDisputed(each) ? { ...each, sure: each.sure * DISPUTED } : each))
}

/** Equally sure rules: the longer word says more, then the earlier one. */
const bySurety = (a: Holding, b: Holding): number => b.sure - a.sure || b.length - a.length || a.at - b.at

/** From another rule of the same maker that does not say another type. */
const modelFrom = (holding: readonly Holding[], vendor: string, type: DeviceType | undefined): string =>
  holding.find(
    ({ rule, model }) => model !== '' && rule.vendor === vendor && (!rule.type || rule.type === type),
  )?.model ?? ''

/** One line, without the entities and the padding of pages and screens. */
const plain = (text: string): string =>
  text.slice(0, TEXT_MAX).replaceAll('&nbsp;', ' ').replaceAll('&reg;', ' ').replaceAll(/\s+/g, ' ').trim()
