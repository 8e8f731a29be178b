import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Lists that tell of network cards under two names each: nothing settles whether they are one thing, so a person is asked.

const CARDS = [
  ['3C:52:82:6A:01:5F', 'reception-pc', 'front-desk', 'Windows 11'],
  ['3C:52:82:6A:44:10', 'stock-terminal', 'lagerplatz-2', 'Windows 10'],
  ['B8:27:EB:51:0C:9A', 'lobby-display', 'signage-01', 'Debian 12'],
] as const

/** The files; `forget` removes them. */
export async function doubtfulLists(pairs = 1): Promise<{ files: string[]; forget: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-lists-'))
  const files = [join(folder, 'reception.csv'), join(folder, 'office.xml')]
  const cards = CARDS.slice(0, pairs)
  const rows = cards.map(([mac, name, , os], at) => `${name},${mac},10.20.0.${31 + at},${os},reception\n`)
  const seconds = Math.floor(Date.now() / 1_000) - 60
  const hosts = cards.map(
    ([mac, , name], at) => `<host starttime="${seconds}" endtime="${seconds + 10}">
      <status state="up" reason="arp-response"/>
      <address addr="10.20.0.${77 + at}" addrtype="ipv4"/><address addr="${mac}" addrtype="mac"/>
      <hostnames><hostname name="${name}" type="user"/></hostnames></host>`,
  )
  await writeFile(files[0] ?? '', `hostname,macAddress,ipAddress,os,tags\n${rows.join('')}`)
  await writeFile(
    files[1] ?? '',
    `<?xml version="1.0"?><nmaprun scanner="nmap" start="${seconds}" version="7.95">${hosts.join('')}</nmaprun>`,
  )
  return { files, forget: () => rm(folder, { recursive: true, force: true }) }
}
