import type { DeviceType } from './device-types.ts'
import type { Match, Recognition } from './scoring.ts'
import { isTelling } from './signals.ts'

/** Why a recognition is no surer than it is. */
export const doubts = [
  /** No signal says anything. */
  'nothing_said',
  /** Signals name a maker, none says what the thing is for. */
  'maker_only',
  /** All rests on names and addresses, which others give. */
  'names_and_addresses_only',
  /** All rests on what a source believes the maker and model to be. */
  'hint_only',
  /** A signal says that it is another type. */
  'another_type',
] as const
export type Doubt = (typeof doubts)[number]

export function doubtsAbout({ deviceType, matches }: Recognition): Doubt[] {
  const saying = matches.filter(({ confidence }) => confidence > 0)
  if (saying.length === 0) return ['nothing_said']
  const said = deviceType === 'unknown' ? saying : saying.filter((each) => each.deviceType === deviceType)
  const isFirmer = (each: Match): boolean => isTelling(each.source)
  return [
    ...(deviceType === 'unknown' ? (['maker_only'] as const) : []),
    ...(said.some(isFirmer) ? [] : (['names_and_addresses_only'] as const)),
    ...(said.every(({ source }) => source === 'hint') ? (['hint_only'] as const) : []),
    ...(saying.some((each) => isRival(each, deviceType)) ? (['another_type'] as const) : []),
  ]
}

const isRival = (match: Match, deviceType: DeviceType): boolean =>
  deviceType !== 'unknown' && match.deviceType !== 'unknown' && match.deviceType !== deviceType
