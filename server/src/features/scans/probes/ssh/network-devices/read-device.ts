import { word } from '../terminal-text.ts'
import { makers, type Maker } from './vendor-patterns.ts'
import { defined } from '../unix/read-system.ts'

/** What a device's command line reported. */
export interface Device {
  readonly vendor: string
  /** Of the operating system: `Cisco IOS`, `Junos`. */
  readonly system: string
  readonly version?: string
  readonly model?: string
  readonly serial?: string
  readonly hostname?: string
  /** In six octets with colons. */
  readonly macs: readonly string[]
  readonly notes?: readonly string[]
}

export interface Recognised {
  /** Commands that report the rest. */
  readonly ask: readonly string[]
  readonly read: (answers: string) => Device
}

const MACS_MAX = 256

/** Whose device says this; undefined: nobody's that is known. */
export function deviceIn(answers: string): Recognised | undefined {
  const maker = makers.find(({ sign }) => sign.test(answers))
  return maker && { ask: maker.ask, read: (all) => read(maker, all) }
}

function read({ vendor, system, ...maker }: Maker, answers: string): Device {
  const first = (patterns: readonly RegExp[]): string | undefined => {
    for (const pattern of patterns) {
      const found = word(pattern.exec(answers)?.[1])
      if (found !== undefined) return found
    }
    return undefined
  }
  const { version, model, serial, hostname, mac = [] } = maker
  return {
    vendor,
    system,
    ...defined({
      version: first(version),
      model: first(model),
      serial: first(serial),
      hostname: first(hostname),
    }),
    macs: [...new Set(mac.flatMap((pattern) => macsBy(pattern, answers)))].slice(0, MACS_MAX),
  }
}

function macsBy({ source, flags }: RegExp, answers: string): string[] {
  return [...answers.matchAll(new RegExp(source, `${flags}g`))]
    .slice(0, MACS_MAX)
    .flatMap(([, text = '']) => {
      const digits = text.toLowerCase().replace(/[^0-9a-f]/g, '')
      return digits.length === 12 ? [(digits.match(/../g) ?? []).join(':')] : []
    })
}
