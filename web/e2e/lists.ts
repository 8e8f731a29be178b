import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Two lists that tell of one network card under two names: nothing settles whether they are one thing, so a person is asked.

const MAC = '3C:52:82:6A:01:5F'

const spreadsheet = `hostname,macAddress,ipAddress,os,tags
reception-pc,${MAC},10.20.0.31,Windows 11,reception
`

const scanned = `<?xml version="1.0"?>
<nmaprun scanner="nmap" args="nmap -sn 10.20.0.0/24" start="1760000000" version="7.95">
  <host starttime="1760000000" endtime="1760000010">
    <status state="up" reason="arp-response"/>
    <address addr="10.20.0.77" addrtype="ipv4"/>
    <address addr="${MAC}" addrtype="mac" vendor="Hewlett Packard"/>
    <hostnames><hostname name="front-desk" type="user"/></hostnames>
  </host>
</nmaprun>
`

/** The files, and their names of today for a person; `forget` removes them. */
export async function doubtfulLists(): Promise<{ files: string[]; forget: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-lists-'))
  const files = [join(folder, 'reception.csv'), join(folder, 'office.xml')]
  await writeFile(files[0] ?? '', spreadsheet)
  await writeFile(files[1] ?? '', scanned)
  return { files, forget: () => rm(folder, { recursive: true, force: true }) }
}
