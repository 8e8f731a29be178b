import { sampleLifecycles } from './sample-lifecycles.ts'

/**
 * A few public advisories about the demo software, so that there are findings without network access. Ids, versions
 * and scores are those of Debian, Ubuntu, NVD and CISA; the descriptions are our own.
 */

/** One file for each feed, in that feed's format. */
export function sampleAdvisories(): readonly { readonly feed: string; readonly content: string }[] {
  return [
    { feed: 'debian', content: JSON.stringify(tracker()) },
    { feed: 'nvd', content: JSON.stringify(nvd()) },
    { feed: 'kev', content: JSON.stringify(kev()) },
    { feed: 'epss', content: epss() },
    { feed: 'endoflife', content: JSON.stringify(sampleLifecycles()) },
  ]
}

type CvssVector = `CVSS:3.1/${string}`

interface SampleCve {
  readonly description: string
  readonly vector: CvssVector
  readonly score: number
}

const sampleCves: Readonly<Record<string, SampleCve>> = {
  'CVE-2023-31102': sampleCve(
    'An archive of a crafted kind makes 7-Zip write outside its memory.',
    'L/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H',
    7.8,
  ),
  'CVE-2023-38831': sampleCve(
    'Opening a harmless file of a crafted archive in WinRAR runs another.',
    'L/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H',
    7.8,
  ),
  'CVE-2023-40031': sampleCve(
    'Converting a crafted UTF-16 file overruns a buffer of Notepad++.',
    'L/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H',
    7.8,
  ),
  'CVE-2023-47359': sampleCve(
    'A crafted MMS stream overruns the heap of VLC.',
    'N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    9.8,
  ),
  'CVE-2024-2961': sampleCve(
    'Converting to ISO-2022-CN-EXT by iconv writes past the end of its buffer.',
    'N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H',
    8.8,
  ),
  'CVE-2024-5274': sampleCve(
    'A confusion of types in the V8 engine lets a page run code in the renderer.',
    'N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H',
    8.8,
  ),
  'CVE-2024-6387': sampleCve(
    'A race in the signal handler of sshd may run code before anybody has signed in.',
    'N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H',
    8.1,
  ),
  'CVE-2024-7348': sampleCve(
    'A race lets the owner of an object run SQL as the user of pg_dump.',
    'N/AC:H/PR:L/UI:N/S:U/C:H/I:H/A:H',
    7.5,
  ),
  'CVE-2024-7971': sampleCve(
    'A confusion of types in the V8 engine lets a page corrupt the heap.',
    'N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H',
    8.8,
  ),
  'CVE-2024-9680': sampleCve(
    'A timeline of an animation is used after it was freed; a page may run code.',
    'N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    9.8,
  ),
  'CVE-2024-31497': sampleCve(
    'Signatures by keys of NIST P-521 give the private key away.',
    'N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N',
    5.9,
  ),
}

function sampleCve(description: string, vector: string, score: number): SampleCve {
  return { description, vector: `CVSS:3.1/AV:${vector}`, score }
}

/** Source package, CVE, and the version that fixes it in Debian 12. */
const inDebian: readonly (readonly [string, string, string])[] = [
  ['glibc', 'CVE-2024-2961', '2.36-9+deb12u6'],
  ['openssh', 'CVE-2024-6387', '1:9.2p1-2+deb12u3'],
  ['postgresql-15', 'CVE-2024-7348', '15.8-0+deb12u1'],
]

function tracker(): Record<string, Record<string, unknown>> {
  const packages: Record<string, Record<string, unknown>> = {}
  for (const [name, cve, fixed] of inDebian) {
    const release = { status: 'resolved', fixed_version: fixed, urgency: 'not yet assigned' }
    packages[name] = {
      ...packages[name],
      [cve]: { description: sampleCves[cve]?.description, releases: { bookworm: release } },
    }
  }
  return packages
}

/** CVE, CPE product, first affected version (empty: all), and fixed version. */
const inProducts: readonly (readonly [string, string, string, string])[] = [
  ['CVE-2023-31102', '7-zip:7-zip', '', '23.00'],
  ['CVE-2023-38831', 'rarlab:winrar', '', '6.23'],
  ['CVE-2023-40031', 'notepad-plus-plus:notepad\\+\\+', '', '8.5.7'],
  ['CVE-2023-47359', 'videolan:vlc_media_player', '', '3.0.20'],
  ['CVE-2024-5274', 'google:chrome', '', '125.0.6422.112'],
  ['CVE-2024-7971', 'google:chrome', '', '128.0.6613.84'],
  ['CVE-2024-9680', 'mozilla:firefox', '', '131.0.2'],
  ['CVE-2024-31497', 'putty:putty', '0.68', '0.81'],
]

function nvd(): unknown {
  const scored = new Set([...inProducts.map(([cve]) => cve), ...inDebian.map(([, cve]) => cve)])
  const vulnerabilities = [...scored].toSorted().map((id) => ({ cve: cveOf(id) }))
  return { format: 'NVD_CVE', version: '2.0', totalResults: vulnerabilities.length, vulnerabilities }
}

function cveOf(id: string): unknown {
  const known = sampleCves[id]
  const matches = inProducts
    .filter(([cve]) => cve === id)
    .map(([, product, from, fixed]) => ({
      vulnerable: true,
      criteria: `cpe:2.3:a:${product}:*:*:*:*:*:*:*:*`,
      ...(from !== '' && { versionStartIncluding: from }),
      versionEndExcluding: fixed,
    }))
  const data = { version: '3.1', vectorString: known?.vector, baseScore: known?.score }
  return {
    id,
    vulnStatus: 'Analyzed',
    descriptions: [{ lang: 'en', value: known?.description }],
    metrics: { cvssMetricV31: [{ source: 'nvd@nist.gov', type: 'Primary', cvssData: data }] },
    ...(matches.length > 0 && { configurations: [{ nodes: [{ operator: 'OR', cpeMatch: matches }] }] }),
    references: [{ url: `https://nvd.nist.gov/vuln/detail/${id}` }],
  }
}

/** CVE, the day on which CISA added it to the KEV catalogue, and the day until which it asks for a fix. */
const exploited: readonly (readonly [cve: string, added: string, due: string, ransomware: string])[] = [
  ['CVE-2023-38831', '2023-08-24', '2023-09-14', 'Known'],
  ['CVE-2024-5274', '2024-05-28', '2024-06-18', 'Unknown'],
  ['CVE-2024-7971', '2024-08-26', '2024-09-16', 'Unknown'],
  ['CVE-2024-9680', '2024-10-15', '2024-11-05', 'Unknown'],
]

/** How likely each is exploited within 30 days, rounded; it moves daily. */
const likelihoods: readonly (readonly [cve: string, score: string])[] = [
  ['CVE-2023-38831', '0.94'],
  ['CVE-2023-40031', '0.01'],
  ['CVE-2024-2961', '0.90'],
  ['CVE-2024-6387', '0.35'],
  ['CVE-2024-9680', '0.30'],
]

const epss = (): string =>
  [
    '#model_version:demo',
    'cve,epss,percentile',
    ...likelihoods.map(([cve, score]) => `${cve},${score},${score}`),
    '',
  ].join('\n')

function kev(): unknown {
  return {
    title: 'Known exploited, a part',
    catalogVersion: '0',
    count: exploited.length,
    vulnerabilities: exploited.map(([cveID, dateAdded, dueDate, knownRansomwareCampaignUse]) => ({
      cveID,
      dateAdded,
      dueDate,
      knownRansomwareCampaignUse,
    })),
  }
}
