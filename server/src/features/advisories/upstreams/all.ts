import type { FeedName } from '../formats/all.ts'
import { alpineUpstream } from './alpine.ts'
import { cveListUpstream } from './cve-list.ts'
import { nvdUpstream } from './nvd.ts'
import { oneFile, type Upstream } from './upstream.ts'
import { osvUpstream } from './osv.ts'
import { redhatUpstream } from './redhat.ts'

const SUSE_FILES = [
  'suse.linux.enterprise.server.15.xml.gz',
  'suse.linux.enterprise.server.12.xml.gz',
  'opensuse.leap.15.6.xml.gz',
] as const

/** All feeds, in display order. */
export const upstreams: Readonly<Record<FeedName, Upstream>> = {
  nvd: nvdUpstream,
  'cve-list': cveListUpstream,
  kev: {
    name: 'kev',
    title: 'CISA Known Exploited Vulnerabilities',
    attribution: 'Cybersecurity and Infrastructure Security Agency, CC0.',
    base: 'https://www.cisa.gov/sites/default/files/feeds/',
    everyHours: 24,
    plan: oneFile('known_exploited_vulnerabilities.json'),
  },
  epss: {
    name: 'epss',
    title: 'EPSS',
    attribution: 'Exploit Prediction Scoring System, FIRST.org: https://www.first.org/epss',
    base: 'https://epss.empiricalsecurity.com/',
    everyHours: 24,
    plan: oneFile('epss_scores-current.csv.gz'),
  },
  osv: osvUpstream,
  debian: {
    name: 'debian',
    title: 'Debian security tracker',
    attribution: 'Debian security team, security-tracker.debian.org.',
    base: 'https://security-tracker.debian.org/tracker/data/',
    everyHours: 6,
    plan: oneFile('json'),
  },
  'debian-dsa': {
    name: 'debian-dsa',
    title: 'Debian security advisories',
    attribution: 'Debian security team, security-tracker.debian.org.',
    base: 'https://salsa.debian.org/security-tracker-team/security-tracker/-/raw/master/data/DSA/',
    everyHours: 12,
    plan: oneFile('list'),
  },
  // Canonical compresses all statements with xz only: they have to be repacked and loaded manually.
  'ubuntu-vex': {
    name: 'ubuntu-vex',
    title: 'Ubuntu VEX',
    attribution: 'Canonical Ltd., Ubuntu security team.',
    everyHours: 24,
    plan: oneFile(''),
  },
  redhat: redhatUpstream,
  suse: {
    name: 'suse',
    title: 'SUSE OVAL',
    attribution: 'SUSE Linux, ftp.suse.com/pub/projects/security/oval.',
    base: 'https://ftp.suse.com/pub/projects/security/oval/',
    everyHours: 24,
    async *plan({ base }) {
      for (const it of SUSE_FILES)
        yield { part: it, urls: [new URL(it, base).href], isWhole: true, mayBeMissing: true }
    },
  },
  'azure-linux': {
    name: 'azure-linux',
    title: 'Azure Linux OVAL',
    attribution: 'Microsoft, AzureLinuxVulnerabilityData, MIT.',
    base: 'https://raw.githubusercontent.com/microsoft/AzureLinuxVulnerabilityData/main/',
    everyHours: 24,
    plan: oneFile('azurelinux-3.0-oval.xml'),
  },
  alpine: alpineUpstream,
  wolfi: {
    name: 'wolfi',
    title: 'Wolfi security database',
    attribution: 'Chainguard, packages.wolfi.dev.',
    base: 'https://packages.wolfi.dev/os/',
    everyHours: 12,
    plan: oneFile('security.json'),
  },
  arch: {
    name: 'arch',
    title: 'Arch Linux security tracker',
    attribution: 'Arch Linux security team, security.archlinux.org.',
    base: 'https://security.archlinux.org/',
    everyHours: 12,
    plan: oneFile('all.json'),
  },
  endoflife: {
    name: 'endoflife',
    title: 'endoflife.date',
    attribution: 'endoflife.date contributors, MIT.',
    base: 'https://endoflife.date/api/v1/',
    everyHours: 24,
    plan: oneFile('products/full'),
  },
}
