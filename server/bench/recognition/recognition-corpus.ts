import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { DeviceType } from '#features/recognition/recognition.ts'
import { corrected } from './wrong-labels.ts'

/** A text that a device gave, and what it is. */
export interface Example {
  readonly key: string
  readonly text: string
  readonly type: DeviceType
  readonly vendor: string
  /** None of our types fits: `unknown` is right. */
  readonly isOther: boolean
  /** Texts of one fingerprint are of one product, and read alike. */
  readonly fingerprint: string
}

export interface MacQuestion {
  readonly mac: string
  /** As the registry has it; empty: nobody. */
  readonly vendor: string
}

export interface Corpus {
  readonly examples: readonly Example[]
  readonly macs: readonly MacQuestion[]
}

interface ExampleRow {
  readonly fingerprint: string
  readonly matches_on: string
  readonly text: string
  readonly expected: {
    readonly device_type: DeviceType | null
    readonly device_type_kind: string | null
    readonly vendor: string | null
  }
}

interface MacRow {
  readonly mac: string
  readonly vendor: string | null
}

/** Reads `recog-examples.jsonl.gz` and `mac-questions.jsonl.gz`: one JSON object a line. */
export function readCorpus(folder: string): Corpus {
  const examples = rowsOf<ExampleRow>(folder, 'recog-examples').flatMap(
    ({ matches_on: key, text, expected, fingerprint }) =>
      expected.device_type === null
        ? []
        : [
            corrected({
              key,
              text,
              type: expected.device_type,
              vendor: expected.vendor ?? '',
              isOther: expected.device_type_kind === 'none',
              fingerprint,
            }),
          ],
  )
  const macs = rowsOf<MacRow>(folder, 'mac-questions').map(({ mac, vendor }) => ({
    mac,
    vendor: vendor ?? '',
  }))
  return { examples, macs }
}

/** Texts as makers document them or devices gave them, written down apart from the rules and kept from their authors. */
export function readGuard(): Example[] {
  const lines = readFileSync(new URL('guard.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line, at) => {
    const row = JSON.parse(line) as Pick<Example, 'key' | 'text' | 'type' | 'vendor'>
    return { ...row, isOther: row.type === 'unknown', fingerprint: `guard ${at}` }
  })
}

const rowsOf = <T>(folder: string, name: string): T[] =>
  gunzipSync(readFileSync(join(folder, `${name}.jsonl.gz`)))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
