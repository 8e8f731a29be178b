import { signalsIn } from './fingerprints.ts'
import type { Signals } from '../signals.ts'

/** The part of an observation that recognition reads: the feature it belongs to stands to the right. */
export interface Observed {
  readonly identifiers: readonly { readonly type: string; readonly value: string }[]
  readonly vendor?: string | undefined
  readonly model?: string | undefined
  readonly os?: string | undefined
  readonly facts?: Readonly<Record<string, unknown>> | undefined
}

/** The signals of what a source saw: its identifiers, what it believes, and the facts that a device gave of itself. */
export function signalsOf({ identifiers, vendor, model, os, facts = {} }: Observed): Signals {
  const first = (type: string): string | undefined => identifiers.find((each) => each.type === type)?.value
  const hostname = first('hostname') ?? first('ptr_name')
  const mac = first('mac')
  const ip = first('ip')
  const told = signalsIn(typeof facts['openPorts'] === 'number' ? { ...facts, openPorts: null } : facts)
  return {
    ...told,
    ...(vendor && { vendor }),
    ...(model && { model }),
    ...(hostname && { hostname }),
    ...(mac && { mac }),
    ...(ip && { ip }),
    ...(os && { texts: [...(told.texts ?? []), { source: 'os', text: os }] }),
  }
}
