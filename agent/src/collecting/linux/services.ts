import type { Json } from '../../json.ts'
import type { Machine } from '../machine.ts'

const UNIT_FOLDERS = ['/etc/systemd/system', '/usr/lib/systemd/system', '/lib/systemd/system']
const LIST_MAX = 2_000

/** Services that are started at boot: those that a target of systemd wants, or that OpenRC's runlevels hold. */
export async function services(machine: Machine): Promise<Json | undefined> {
  const wanted = await Promise.all(UNIT_FOLDERS.map((folder) => wantedIn(machine, folder)))
  const levels = await Promise.all(
    ['boot', 'default', 'sysinit'].map((it) => machine.list(`/etc/runlevels/${it}`)),
  )
  const names = [...new Set([...wanted.flat(), ...levels.flat()])].toSorted().slice(0, LIST_MAX)
  return names.length === 0 ? undefined : names.map((name) => ({ name, startsAtBoot: true }))
}

async function wantedIn(machine: Machine, folder: string): Promise<string[]> {
  const targets = (await machine.list(folder)).filter((it) => /\.target\.(wants|requires)$/.test(it))
  const units = await Promise.all(targets.map((it) => machine.list(`${folder}/${it}`)))
  return units
    .flat()
    .filter((it) => it.endsWith('.service'))
    .map((it) => it.slice(0, -'.service'.length))
}
