import { join } from 'node:path'
import { isObject, type Json, type JsonObject } from './json.ts'
import { readJson, writeJson } from './state/durable-file.ts'
import { canonicalJson } from './wire/canonical-json.ts'

const FILE = 'software.json'

/** Keeps the list of software that the server has now, so that the next report can send the difference. */
export const keepSoftware = (folder: string, hash: string, section: Json): void =>
  writeJson(join(folder, FILE), { hash, section })

/**
 * `{base, added, removed}`: how the list of software differs from the one of the hash `base`, which the server has. Undefined
 * when that one is not known here, package managers came or went, or too much differs.
 */
export function softwareChanges(
  folder: string,
  base: string | undefined,
  section: Json,
): JsonObject | undefined {
  const stored = storedIn(folder)
  if (base === undefined || stored?.['hash'] !== base) return undefined
  const [before, now] = [listIn(stored['section']), listIn(section)]
  if (!before || !now || before.complete !== now.complete) return undefined
  const added = [...now.items].filter(([text]) => !before.items.has(text)).map(([, item]) => item)
  const removed = [...before.items].filter(([text]) => !now.items.has(text)).map(([, item]) => item)
  return added.length + removed.length > now.items.size / 2 ? undefined : { base, added, removed }
}

function storedIn(folder: string): Record<string, unknown> | undefined {
  try {
    const stored = readJson(join(folder, FILE))
    return isObject(stored) ? stored : undefined
  } catch {
    return undefined
  }
}

interface List {
  readonly complete: string
  /** By their text. */
  readonly items: ReadonlyMap<string, Json>
}

function listIn(section: unknown): List | undefined {
  if (!isObject(section) || !Array.isArray(section['items'])) return undefined
  const items = section['items'] as Json[]
  return {
    complete: JSON.stringify(section['complete']),
    items: new Map(items.map((it) => [canonicalJson(it), it])),
  }
}
