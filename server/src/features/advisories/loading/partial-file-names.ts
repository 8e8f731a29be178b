import type { FeedName } from '../formats/all.ts'

interface Part {
  readonly part: string
  readonly isWhole: boolean
}

/** Manually loaded files that are not a complete part add to the catalogue. */
const ADDED: Part = { part: 'loaded', isWhole: false }

/** Which part of its feed a file is, by its published file name. */
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
