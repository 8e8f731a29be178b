import { present, textIn, type Json, type JsonObject } from '../../json.ts'
import type { Machine } from '../machine.ts'
import { answersOf, textOf, type Row } from './answers.ts'

/**
 * `{complete, items}`: programs as Windows lists them, of the machine, of 32 bits and of the users whose hive is loaded;
 * and updates. Parts of other programs and of the system are left out, as Windows leaves them out. Apps of the Store are
 * not read.
 */
export async function installedSoftware(machine: Machine): Promise<Json> {
  const { rows } = await answersOf(machine)
  const userOf = new Map(
    rows('profiles').map((it) => [textOf(it, 'SID'), textOf(it, 'LocalPath').replace(/^.*\\/, '')]),
  )
  const programs = rows('programs').flatMap((it) => programIn(it, machine.arch, userOf))
  const updates = rows('hotfixes').flatMap((it): JsonObject[] => {
    const name = textOf(it, 'HotFixID')
    return /^KB\d+$/i.test(name)
      ? [present({ origin: 'hotfix', name, version: '', installedAt: textOf(it, 'InstalledOn') })]
      : []
  })
  const order = (it: JsonObject): string =>
    ['origin', 'name', 'user', 'arch', 'version'].map((name) => textIn(it[name])).join('\0')
  // an empty text is left out of an object, and a program without a version is one
  const items = [...programs, ...updates].map((it) => ({ version: '', ...it }))
  return { complete: ['windows', 'hotfix'], items: items.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)) }
}

function programIn(row: Row, arch: string, userOf: ReadonlyMap<string, string>): JsonObject[] {
  const name = textOf(row, 'DisplayName')
  if (name === '' || row['SystemComponent'] === 1 || textOf(row, 'ParentKeyName') !== '') return []
  const path = textOf(row, 'PSPath')
  const [, sid] = /HKEY_USERS\\([^\\]+)\\/i.exec(path) ?? []
  if (sid !== undefined && !PERSON.test(sid)) return []
  return [
    present({
      origin: 'windows',
      name,
      version: textOf(row, 'DisplayVersion'),
      arch: /\\WOW6432Node\\/i.test(path) ? 'x86' : arch,
      vendor: textOf(row, 'Publisher'),
      user: sid === undefined ? undefined : userOf.get(sid) || sid,
      installedAt: dateIn(textOf(row, 'InstallDate')),
    }),
  ]
}

/** Accounts of a machine, a domain, or Entra ID; not services. */
const PERSON = /^S-1-(5-21|12-1)-[\d-]+$/

/** `20240131`; installers write other things too. */
function dateIn(text: string): string | undefined {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? []
  return year === undefined ? undefined : `${year}-${month}-${day}`
}
