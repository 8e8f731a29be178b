import type { FeedName } from './all.ts'

/** A small file of a feed, in the layout of real ones, and how many entries it has. */
export interface Sample {
  readonly name: string
  readonly text: string
  readonly entries: number
  /** The format has no end mark, so a file cut off at a line end cannot be detected. */
  readonly hasNoEnd?: true
}

const json = (value: unknown, entries: number, name = 'file.json'): Sample => ({
  name,
  text: JSON.stringify(value, null, 1),
  entries,
})

const range = (introduced: string, fixed: string) => [
  { type: 'ECOSYSTEM', events: [{ introduced }, { fixed }] },
]
const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'

const OVAL_BEGIN =
  '<?xml version="1.0"?>\n<oval_definitions xmlns="urn:x" xmlns:linux-def="urn:y">\n<definitions>\n'

export const samples: Readonly<Record<FeedName, Sample>> = {
  nvd: json(
    {
      resultsPerPage: 2,
      vulnerabilities: [
        {
          cve: {
            id: 'CVE-2024-0001',
            published: '2024-01-02T03:04:05.678',
            descriptions: [{ lang: 'en', value: 'é "x" [{' }],
          },
        },
        {
          cve: {
            id: 'CVE-2024-0002',
            metrics: {
              cvssMetricV31: [{ source: 'nvd@nist.gov', cvssData: { vectorString: vector, baseScore: 9.8 } }],
            },
          },
        },
      ],
    },
    2,
  ),
  'cve-list': json(
    {
      cveMetadata: { cveId: 'CVE-2024-0001', state: 'PUBLISHED' },
      containers: {
        cna: {
          affected: [
            { vendor: 'V', product: 'P', versions: [{ status: 'affected', version: '1', lessThan: '2' }] },
          ],
        },
      },
    },
    1,
  ),
  osv: json(
    { id: 'PYSEC-1', affected: [{ package: { ecosystem: 'PyPI', name: 'p' }, ranges: range('0', '1') }] },
    1,
  ),
  kev: json({ vulnerabilities: [{ cveID: 'CVE-2024-0001', dateAdded: '2024-02-03' }] }, 1),
  epss: {
    name: 'epss.csv',
    text: '#model_version:v1,score_date:2025-02-20T00:00:00+0000\ncve,epss,percentile\nCVE-1999-0001,0.00383,0.73\nCVE-1999-0002,0.5,0.9\n',
    entries: 2,
    hasNoEnd: true,
  },
  debian: json(
    {
      openssh: {
        'CVE-2024-0001': {
          releases: { bookworm: { status: 'resolved', fixed_version: '1:9.2p1-2', urgency: 'low**' } },
        },
      },
      sope: { 'TEMP-1': { releases: [] } },
    },
    2,
  ),
  'debian-dsa': {
    name: 'list',
    text: '[31 Jul 2025] DSA-5970-1 sope - security update\n\t{CVE-2025-53603}\n\t[bookworm] - sope 5.8.0-1+deb12u1\n[18 Apr 2018] DSA-4205-1 jessie end-of-life\n\tNOTE: end\n',
    entries: 2,
    hasNoEnd: true,
  },
  'ubuntu-vex': json(
    {
      statements: [
        {
          vulnerability: { name: 'CVE-2024-0001' },
          status: 'affected',
          products: [{ '@id': 'pkg:deb/ubuntu/curl@7.8?arch=source&distro=jammy' }],
        },
      ],
    },
    1,
  ),
  redhat: json(
    {
      document: { tracking: { id: 'RHSA-2024:0001' } },
      product_tree: {
        branches: [
          {
            product: {
              product_id: 'BaseOS-9',
              product_identification_helper: { cpe: 'cpe:/o:redhat:enterprise_linux:9::baseos' },
            },
          },
          {
            product: {
              product_id: 'bind-1',
              product_identification_helper: { purl: 'pkg:rpm/redhat/bind@9.8-1.el9?arch=x86_64&epoch=32' },
            },
          },
        ],
        relationships: [
          {
            full_product_name: { product_id: 'BaseOS-9:bind-1' },
            product_reference: 'bind-1',
            relates_to_product_reference: 'BaseOS-9',
          },
        ],
      },
      vulnerabilities: [{ cve: 'CVE-2024-0001', product_status: { fixed: ['BaseOS-9:bind-1'] } }],
    },
    1,
  ),
  suse: {
    name: 'suse.xml',
    text: `${OVAL_BEGIN}<definition class="vulnerability" id="d1"><metadata><title>CVE-2024-0001</title></metadata>
<criteria operator="AND"><criterion comment="SUSE Linux Enterprise Server 15 is installed"/>
<criteria operator="OR"><criterion comment="kernel-default-4.12.14-150.72.1 is installed"/></criteria></criteria></definition>
</definitions></oval_definitions>`,
    entries: 1,
  },
  'azure-linux': {
    name: 'azurelinux-3.0-oval.xml',
    text: `${OVAL_BEGIN}<definition class="vulnerability" id="d1"><metadata><reference ref_id="CVE-2024-0001"/></metadata>
<criteria operator="AND"><criterion test_ref="t1"/></criteria></definition></definitions>
<tests><linux-def:rpminfo_test id="t1"><linux-def:object object_ref="o1"/><linux-def:state state_ref="s1"/></linux-def:rpminfo_test></tests>
<objects><linux-def:rpminfo_object id="o1"><linux-def:name>ceph</linux-def:name></linux-def:rpminfo_object></objects>
<states><linux-def:rpminfo_state id="s1"><linux-def:evr operation="less than">0:18.2.1-1.azl3</linux-def:evr></linux-def:rpminfo_state></states>
</oval_definitions>`,
    entries: 1,
  },
  alpine: json(
    {
      distroversion: 'v3.19',
      reponame: 'main',
      packages: [
        { pkg: { name: 'xz', secfixes: { '5.2.5-r1': ['CVE-2022-1271'], '0': ['CVE-2024-3094'] } } },
      ],
    },
    2,
  ),
  wolfi: json(
    {
      reponame: 'os',
      packages: [{ pkg: { name: 'bind', secfixes: { '9.18.10-r0': ['CVE-2022-2795', 'CVE-2022-2881'] } } }],
    },
    2,
  ),
  arch: json(
    [
      {
        name: 'AVG-1',
        packages: ['glibc', 'lib32-glibc'],
        status: 'Fixed',
        severity: 'High',
        fixed: '2.38-2',
        issues: ['CVE-2023-4911'],
        advisories: ['ASA-1'],
      },
    ],
    1,
  ),
  endoflife: json(
    {
      result: [
        {
          name: 'python',
          identifiers: [{ type: 'cpe', id: 'cpe:2.3:a:python:python' }],
          releases: [{ name: '3.11', eolFrom: '2027-10-24' }],
        },
      ],
    },
    1,
  ),
}
