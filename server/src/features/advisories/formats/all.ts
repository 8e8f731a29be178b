import { arch } from './arch.ts'
import { azureOval } from './oval/azure-oval.ts'
import { cveList } from './cve/cve-list.ts'
import { debian } from './debian/debian.ts'
import { debianDsa } from './debian/debian-dsa.ts'
import { endoflife } from './endoflife.ts'
import { epss } from './epss.ts'
import type { FeedFormat } from './format.ts'
import { kev } from './kev.ts'
import { nvd } from './nvd/nvd.ts'
import { osv } from './osv/osv.ts'
import { redhat } from './redhat/redhat.ts'
import { secdb } from './secdb/secdb.ts'
import { suseOval } from './oval/suse-oval.ts'
import { ubuntuVex } from './ubuntu-vex.ts'

/** The reader of each feed; Alpine and Wolfi use the same format. */
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
