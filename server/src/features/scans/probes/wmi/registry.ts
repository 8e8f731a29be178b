import type { InstalledSoftware } from '#features/assets/observation.ts'
import type { WmiObject, Wsman } from './wsman.ts'

/** The registry of a Windows host, read through StdRegProv. */
export interface Registry {
  readonly keys: (hive: Hive, path: string) => Promise<readonly string[]>
  /** The names of a key's values. */
  readonly values: (hive: Hive, path: string) => Promise<readonly string[]>
  /** Undefined where there is none of this name, or not of this kind. */
  readonly text: (hive: Hive, path: string, name: string) => Promise<string | undefined>
  readonly number: (hive: Hive, path: string, name: string) => Promise<number | undefined>
}

export type Hive = keyof typeof hives

const hives = { HKEY_LOCAL_MACHINE: 2_147_483_650, HKEY_USERS: 2_147_483_651 } as const

export function registry({ invoke }: Pick<Wsman, 'invoke'>): Registry {
  const call = (method: string, hive: Hive, path: string, name?: string): Promise<WmiObject> =>
    invoke('StdRegProv', method, {
      hDefKey: String(hives[hive]),
      sSubKeyName: path,
      ...(name !== undefined && { sValueName: name }),
    })
  return {
    keys: async (hive, path) => (await call('EnumKey', hive, path)).get('sNames') ?? [],
    values: async (hive, path) => (await call('EnumValues', hive, path)).get('sNames') ?? [],
    text: async (hive, path, name) => (await call('GetStringValue', hive, path, name)).get('sValue')?.[0],
    async number(hive, path, name) {
      const value = (await call('GetDWORDValue', hive, path, name)).get('uValue')?.[0]
      return value === undefined || value === '' ? undefined : Number(value)
    },
  }
}

export interface SoftwareQuestion {
  readonly registry: Registry
  /** Of programs for the machine's own word length: `x64`, `arm64`, `x86`. */
  readonly arch: string
  /** Account names by security identifier. */
  readonly accounts: ReadonlyMap<string, string>
}

/** Programs as the list of installed programs shows them: of the machine, of 32 bits, and of users signed in. */
export async function* installedPrograms({
  registry: { keys, values, text, number },
  arch,
  accounts,
}: SoftwareQuestion): AsyncGenerator<InstalledSoftware> {
  const users = (await keys('HKEY_USERS', '')).filter((sid) => PERSON.test(sid))
  const places: readonly Place[] = [
    { hive: 'HKEY_LOCAL_MACHINE', path: `SOFTWARE\\${UNINSTALL}`, arch },
    { hive: 'HKEY_LOCAL_MACHINE', path: `SOFTWARE\\WOW6432Node\\${UNINSTALL}`, arch: 'x86' },
    ...users.map((sid): Place => ({ ...ofUser(sid), arch, user: accounts.get(sid) ?? sid })),
  ]
  for (const { hive, path, arch: archHere, user } of places) {
    for (const key of (await keys(hive, path)).slice(0, PROGRAMS_MAX)) {
      const at = `${path}\\${key}`
      const named = new Set((await values(hive, at)).map((it) => it.toLowerCase()))
      if (!named.has('displayname') || named.has('parentkeyname')) continue
      if (named.has('systemcomponent') && (await number(hive, at, 'SystemComponent')) === 1) continue
      const read = async (name: string): Promise<string> =>
        named.has(name.toLowerCase()) ? ((await text(hive, at, name)) ?? '').trim() : ''
      const name = await read('DisplayName')
      if (name === '') continue
      const vendor = await read('Publisher')
      const installedAt = dateOf(await read('InstallDate'))
      yield {
        origin: 'windows',
        name,
        version: await read('DisplayVersion'),
        arch: archHere,
        ...(vendor && { vendor }),
        ...(user && { user }),
        ...(installedAt && { installedAt }),
      }
    }
  }
}

interface Place {
  readonly hive: Hive
  readonly path: string
  readonly arch: string
  readonly user?: string
}

const UNINSTALL = 'Microsoft\\Windows\\CurrentVersion\\Uninstall'
const PROGRAMS_MAX = 5_000
/** Accounts of a machine, a domain, or Entra ID; not services. */
const PERSON = /^S-1-(?:5-21|12-1)-[\d-]+$/

const ofUser = (sid: string): Pick<Place, 'hive' | 'path'> => ({
  hive: 'HKEY_USERS',
  path: `${sid}\\SOFTWARE\\${UNINSTALL}`,
})

/** `20240131`, as Windows Installer writes it; other spellings depend on who wrote them. */
function dateOf(text: string): Date | undefined {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? []
  const date = new Date(`${year ?? ''}-${month ?? ''}-${day ?? ''}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? undefined : date
}
