import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { DeviceType } from '#features/recognition/recognition.ts'

/** A text that a device gave, and what it is. */
export interface Example {
  readonly key: string
  readonly text: string
  readonly type: DeviceType
  readonly vendor: string
  /** None of our types fits: `unknown` is right. */
  readonly isOther: boolean
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
    ({ matches_on: key, text, expected }) =>
      expected.device_type === null
        ? []
        : [
            {
              key,
              text,
              type: expected.device_type,
              vendor: expected.vendor ?? '',
              isOther: expected.device_type_kind === 'none',
            },
          ],
  )
  const macs = rowsOf<MacRow>(folder, 'mac-questions').map(({ mac, vendor }) => ({
    mac,
    vendor: vendor ?? '',
  }))
  return { examples, macs }
}

const rowsOf = <T>(folder: string, name: string): T[] =>
  gunzipSync(readFileSync(join(folder, `${name}.jsonl.gz`)))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
