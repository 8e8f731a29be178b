import type { InstalledSoftware, SoftwareReport } from '#features/assets/observation.ts'
import type { SeededRandom } from './seeded-random.ts'

type Unwanted = readonly [name: string, version: string, percent: number, more?: Partial<InstalledSoftware>]

/** What a review of software would ask about: each on a few hosts. */
const onWindows: readonly Unwanted[] = [
  ['TeamViewer', '15.51.5', 4, { vendor: 'TeamViewer' }],
  ['µTorrent', '3.6.0', 2, { vendor: 'BitTorrent Inc.' }],
  ['Wireshark 4.2.4 x64', '4.2.4', 4, { vendor: 'The Wireshark developer community' }],
  ['hashcat', '6.2.6', 2, { vendor: 'hashcat' }],
  ['Adobe Flash Player 32 NPAPI', '32.0.0.465', 3, { vendor: 'Adobe' }],
  ['Microsoft Office Professional Plus 2010', '14.0.7015.1000', 3, { vendor: 'Microsoft Corporation' }],
  ['Shop floor label printer', '1.4', 4],
  ['Spotify', '1.2.37.701', 5, { vendor: 'Spotify AB', user: 'HALDEN\\guest' }],
]
const onLinux: readonly Unwanted[] = [
  ['gcc', '12.2.0', 18],
  ['tcpdump', '4.99.3', 15],
  ['python2.7', '2.7.18', 10],
]

export function unwantedSoftware({ complete }: SoftwareReport, random: SeededRandom): InstalledSoftware[] {
  const [origin] = complete
  const list = origin === 'windows' ? onWindows : origin === 'dpkg' || origin === 'rpm' ? onLinux : []
  return list.flatMap(([name, version, percent, more]): InstalledSoftware[] =>
    origin && random.percent(percent) ? [{ origin, name, version, ...more }] : [],
  )
}
