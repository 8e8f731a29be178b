import type { FeedName } from '../formats/all.ts'

interface Part {
  readonly part: string
  readonly isWhole: boolean
}

/** Files that were brought by hand and are no whole of anything add to what there is. */
const ADDED: Part = { part: 'loaded', isWhole: false }

/** What a file is of its feed, as its published name says. */
export function filePart(feed: FeedName, file: string): Part {
  return (readers[feed] ?? whole)(file)
}

const whole = (): Part => ({ part: 'all', isWhole: true })

const readers: Partial<Record<FeedName, (file: string) => Part>> = {
  nvd(file) {
    const [, part] = /^nvdcve-2\.0-(\d{4}|modified|recent)\.json/.exec(file) ?? []
    return part ? { part, isWhole: /^\d/.test(part) } : ADDED
  },
  'cve-list': (file) => (/_all_CVEs_at_/.test(file) ? whole() : ADDED),
  osv: () => ADDED,
  redhat: (file) => (/^csaf_advisories_.*\.tar/.test(file) ? whole() : ADDED),
  'ubuntu-vex': (file) => (file.startsWith('vex-all.tar') ? whole() : ADDED),
  alpine: () => ADDED,
  wolfi: () => ADDED,
  suse: (file) => (/\.xml/.test(file) ? { part: file.replace(/\.(?:zst|zip)$/, ''), isWhole: true } : ADDED),
  endoflife: (file) => (/full|products/.test(file) ? whole() : ADDED),
}
