import { expect, test } from 'vitest'
import { advisoriesIn, rulesIn } from './reading.fixture.ts'
import { samples } from './samples.fixture.ts'

const debian = (said: object) =>
  rulesIn('debian', {
    openssh: { 'CVE-2024-6387': { releases: { bookworm: said, sid: { status: 'odd' } } } },
  })

test.each([
  [
    { status: 'resolved', fixed_version: '1:9.2', urgency: 'high**' },
    { verdict: 'affected', ranges: [{ fixed: '1:9.2' }], severity: 'high' },
  ],
  [
    { status: 'resolved', fixed_version: '0', urgency: 'unimportant' },
    { verdict: 'not_affected', ranges: [{}] },
  ],
  [
    { status: 'open', urgency: 'not yet assigned' },
    { verdict: 'affected', ranges: [{}] },
  ],
  [{ status: 'open', nodsa: 'Minor issue', nodsa_reason: '' }, { verdict: 'affected' }],
  [{ status: 'open', nodsa: 'Minor issue', nodsa_reason: 'ignored' }, { verdict: 'will_not_fix' }],
  [{ status: 'open', urgency: 'end-of-life' }, { verdict: 'will_not_fix' }],
  [{ status: 'undetermined', urgency: 'low' }, { verdict: 'under_investigation' }],
])('Debian: %o', async (said, rule) => {
  expect(await debian(said)).toMatchObject([
    { ecosystem: 'Debian:12', package: 'openssh', names: 'source', ...rule },
  ])
})

test('Debian advisories name their fixes', async () => {
  expect(await advisoriesIn('debian-dsa', samples['debian-dsa'].text)).toMatchObject([
    {
      id: 'DSA-5970-1',
      cveIds: ['CVE-2025-53603'],
      rules: [
        {
          ecosystem: 'Debian:12',
          package: 'sope',
          ranges: [{ fixed: '5.8.0-1+deb12u1' }],
          fixedBy: 'DSA-5970-1',
        },
      ],
    },
    { id: 'DSA-4205-1', rules: [] },
  ])
})

const vex = (status: string, more: object = {}, distro = 'jammy') =>
  rulesIn('ubuntu-vex', {
    statements: [
      {
        vulnerability: { name: 'CVE-2024-0001' },
        status,
        ...more,
        products: [
          { '@id': `pkg:deb/ubuntu/curl@7.8?arch=source&distro=${distro}` },
          { '@id': `pkg:deb/ubuntu/curl@7.8?arch=amd64&distro=${distro}` },
        ],
      },
    ],
  })

test('Ubuntu: that today’s version is repaired says nothing of those before it', async () => {
  expect(await vex('fixed')).toMatchObject([
    { ecosystem: 'Ubuntu:22.04', verdict: 'not_affected', ranges: [], versions: ['7.8'] },
  ])
  expect(await vex('affected')).toMatchObject([{ verdict: 'affected', ranges: [{ lastAffected: '7.8' }] }])
  const absent = { justification: 'vulnerable_code_not_present' }
  expect(await vex('not_affected', absent, 'esm-infra/xenial')).toMatchObject([
    { ecosystem: 'Ubuntu:Pro:16.04', verdict: 'not_affected', ranges: [{}] },
  ])
})

test('Alpine: a fix by version, and version 0 for what was never affected', async () => {
  expect(await rulesIn('alpine', samples.alpine.text)).toMatchObject([
    { ecosystem: 'Alpine:v3.19', package: 'xz', verdict: 'not_affected', ranges: [{}] },
    { ecosystem: 'Alpine:v3.19', package: 'xz', verdict: 'affected', ranges: [{ fixed: '5.2.5-r1' }] },
  ])
})

test('Alpine writes YAML too', async () => {
  const yaml =
    "apkurl: '{{urlprefix}}/x'\narchs:\n- x86_64\nreponame: main\ndistroversion: v3.15\npackages:\n- pkg:\n    name: zsh\n    secfixes:\n      5.4.2-r1:\n      - CVE-2018-1083 (+)\n      '0':\n      - CVE-2020-1\n"
  const found = await advisoriesIn('alpine', yaml)
  expect(found.map((it) => `${it.id} ${it.scope}`).toSorted()).toEqual([
    'CVE-2018-1083 v3.15 main zsh',
    'CVE-2020-1 v3.15 main zsh',
  ])
  await expect(advisoriesIn('alpine', `${yaml}  !!odd`)).rejects.toThrow('line 14 is not understood')
})

test('Red Hat: repaired builds, releases and streams', async () => {
  expect(await rulesIn('redhat', samples.redhat.text)).toMatchObject([
    {
      ecosystem: 'Red Hat:9',
      package: 'bind',
      names: 'binary',
      ranges: [{ fixed: '32:9.8-1.el9' }],
      fixedBy: 'RHSA-2024:0001',
    },
  ])
})

test('Red Hat: a package of a module is of its stream; what gets no repair is given up', async () => {
  const product = (id: string, helper: object) => ({
    product: { product_id: id, product_identification_helper: helper },
  })
  const relation = (id: string, component: string, platform: string) => ({
    full_product_name: { product_id: id },
    product_reference: component,
    relates_to_product_reference: platform,
  })
  const document = {
    document: { tracking: { id: 'CVE-2024-0001' } },
    product_tree: {
      branches: [
        product('AppStream-8', { cpe: 'cpe:/a:redhat:enterprise_linux:8::appstream' }),
        product('nodejs:18:1', { purl: 'pkg:rpmmod/redhat/nodejs@18%3A8090020230825' }),
        product('nodejs-1', { purl: 'pkg:rpm/redhat/nodejs?arch=src' }),
      ],
      relationships: [relation('A:m', 'nodejs:18:1', 'AppStream-8'), relation('A:m:n', 'nodejs-1', 'A:m')],
    },
    vulnerabilities: [
      {
        cve: 'CVE-2024-0001',
        product_status: { known_affected: ['A:m:n', 'odd'] },
        remediations: [{ category: 'no_fix_planned', product_ids: ['A:m:n'] }],
      },
    ],
  }
  expect(await rulesIn('redhat', document)).toEqual([
    {
      ecosystem: 'Red Hat:8',
      package: 'nodejs',
      names: 'source',
      verdict: 'will_not_fix',
      ranges: [{}],
      versions: [],
      module: 'nodejs:18',
    },
  ])
})

test('SUSE and Azure Linux: versions before the tested one', async () => {
  expect(await rulesIn('suse', samples.suse.text)).toMatchObject([
    {
      ecosystem: 'SUSE:Linux Enterprise Server 15',
      package: 'kernel-default',
      ranges: [{ fixed: '4.12.14-150.72.1' }],
    },
  ])
  expect(await rulesIn('azure-linux', samples['azure-linux'].text)).toMatchObject([
    { ecosystem: 'Azure Linux:3', package: 'ceph', ranges: [{ fixed: '0:18.2.1-1.azl3' }] },
  ])
})

test('XML that declares entities is not read', async () => {
  const bomb = samples.suse.text.replace('<oval', '<!DOCTYPE x [<!ENTITY a "aaa">]><oval')
  await expect(rulesIn('suse', bomb)).rejects.toThrow('declares entities')
})

test('Arch: one rule for each package of the group', async () => {
  const rules = await rulesIn('arch', samples.arch.text)
  expect(rules.map((it) => [it.package, it.ranges, it.fixedBy])).toEqual([
    ['glibc', [{ fixed: '2.38-2' }], 'ASA-1'],
    ['lib32-glibc', [{ fixed: '2.38-2' }], 'ASA-1'],
  ])
})
