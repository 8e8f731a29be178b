import { isObject, textIn } from '../../json.ts'
import type { Machine } from '../machine.ts'
import { SCRIPT } from './powershell-script.ts'

/** One object of Windows: its properties by name. */
export type Row = Readonly<Record<string, unknown>>

export interface Answers {
  readonly text: (name: string) => string
  /** Objects of a list; also where PowerShell makes one object of a list of one. */
  readonly rows: (name: string) => readonly Row[]
  readonly texts: (name: string) => readonly string[]
  /** The first of a list, of which there is one. */
  readonly row: (name: string) => Row
  readonly value: (name: string) => unknown
}

const asked = new WeakMap<Machine, Promise<Answers>>()

/** Asks Windows once for all sections of a round. Throws when PowerShell is absent or does not answer in JSON. */
export function answersOf(machine: Machine): Promise<Answers> {
  const answers = asked.get(machine) ?? ask(machine)
  asked.set(machine, answers)
  return answers
}

async function ask(machine: Machine): Promise<Answers> {
  const text = await machine.run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', SCRIPT])
  if (text === undefined) throw new Error('powershell.exe is not there')
  const all: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
  if (!isObject(all)) throw new Error('powershell.exe answered something else')
  const list = (name: string): readonly unknown[] => {
    const value = all[name]
    if (value === null || value === undefined) return []
    return Array.isArray(value) ? value : [value]
  }
  const rows = (name: string): readonly Row[] => list(name).filter(isObject)
  return {
    text: (name) => textIn(all[name]).trim(),
    rows,
    texts: (name) => list(name).flatMap((it) => (typeof it === 'string' ? it : [])),
    row: (name) => rows(name)[0] ?? {},
    value: (name) => all[name],
  }
}

export const textOf = (row: Row, name: string): string => textIn(row[name]).trim()

/** Large numbers come as numbers, in some versions as texts. */
export function numberOf(row: Row, name: string): number | undefined {
  const value = row[name]
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
