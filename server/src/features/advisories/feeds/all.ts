import { arch } from './arch.ts'
import { azureOval } from './azure-oval.ts'
import { cveList } from './cve-list.ts'
import { debian } from './debian.ts'
import { debianDsa } from './debian-dsa.ts'
import { endoflife } from './endoflife.ts'
import { epss } from './epss.ts'
import type { FeedFormat } from './feed.ts'
import { kev } from './kev.ts'
import { nvd } from './nvd.ts'
import { osv } from './osv.ts'
import { redhat } from './redhat.ts'
import { secdb } from './secdb.ts'
import { suseOval } from './suse-oval.ts'
import { ubuntuVex } from './ubuntu-vex.ts'

/** How each feed's files are read; Alpine and Wolfi write alike. */
export const formats = {
  nvd,
  'cve-list': cveList,
  osv,
  kev,
  epss,
  debian,
  'debian-dsa': debianDsa,
  'ubuntu-vex': ubuntuVex,
  redhat,
  suse: suseOval,
  'azure-linux': azureOval,
  alpine: secdb,
  wolfi: secdb,
  arch,
  endoflife,
} as const satisfies Readonly<Record<string, FeedFormat>>

export type FeedName = keyof typeof formats
