import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../collecting/machine.ts'

/** What a host is to an update: `linux-x64`. */
export const platformOf = ({ platform, arch }: Machine): string =>
  `${platform === 'win32' ? 'windows' : platform}-${arch}`

/** Of a version that was unpacked into the folder. */
export const programIn = (folder: string): string => join(folder, 'lib/bin/rollcall-agent.mjs')

/** The Node that came with a version, else the one that runs now. */
export function nodeIn(folder: string): string {
  const own = join(folder, 'node')
  return existsSync(own) ? own : process.execPath
}
