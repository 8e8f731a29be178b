import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sharedData } from '#test/support/shared-data.ts'
import { cpeCandidates } from './cpe-candidates.ts'
import { catalogueOf, type Pair } from './known-cpe-products.ts'

const first = (name: string, vendor = '') => {
  const [best] = cpeCandidates(name, vendor)
  return best && `${best.vendor}:${best.product}`
}

/** Names as Windows and macOS list them. */
test.each([
  ['Mozilla Firefox (x64 en-US)', 'Mozilla', 'mozilla:firefox'],
  ['Mozilla Firefox ESR (x86 de)', 'Mozilla', 'mozilla:firefox_esr'],
  ['Google Chrome', 'Google LLC', 'google:chrome'],
  ['7-Zip 23.01 (x64)', 'Igor Pavlov', '7-zip:7-zip'],
  ['VLC media player', 'VideoLAN', 'videolan:vlc_media_player'],
  ['Notepad++ (64-bit x64)', 'Notepad++ Team', 'notepad-plus-plus:notepad++'],
  ['WinRAR 6.24 (64-bit)', 'win.rar GmbH', 'rarlab:winrar'],
  ['PuTTY release 0.80 (64-bit)', 'Simon Tatham', 'putty:putty'],
  ['Wireshark 4.2.2 x64', 'The Wireshark developer community', 'wireshark:wireshark'],
  ['Git', 'The Git Development Community', 'git-scm:git'],
  ['Python 3.11.4 (64-bit)', 'Python Software Foundation', 'python:python'],
  ['LibreOffice 7.5.2.2', 'The Document Foundation', 'libreoffice:libreoffice'],
  ['Adobe Acrobat Reader DC - Deutsch', 'Adobe Systems Incorporated', 'adobe:acrobat_reader_dc'],
  ['Oracle VM VirtualBox 7.0.14', 'Oracle and/or its affiliates', 'oracle:vm_virtualbox'],
  ['TeamViewer', 'TeamViewer Germany GmbH', 'teamviewer:teamviewer'],
  ['Apache Tomcat 9.0', 'The Apache Software Foundation', 'apache:tomcat'],
  ['Microsoft Visual Studio Code', 'Microsoft Corporation', 'microsoft:visual_studio_code'],
  ['Microsoft SQL Server 2019 (64-bit)', 'Microsoft Corporation', 'microsoft:sql_server'],
  ['Windows Server 2008 R2 Service Pack 1', 'Microsoft', 'microsoft:windows_server_2008_r2'],
  ['Windows 11 Version 23H2', 'Microsoft', 'microsoft:windows_11_23h2'],
  ['Firefox.app', 'org.mozilla.firefox', 'mozilla:firefox'],
  ['Archer AX50', 'TP-Link', 'tp-link:archer_ax50'],
  ['DIR-859', 'D-Link', 'dlink:dir-859_firmware'],
])('%s of %s is %s', (name, vendor, wanted) => {
  expect(first(name, vendor)).toBe(wanted)
})

test.each([
  ['Git', 'Acme Widgets Ltd', 'git-scm:git'],
  ['Slack', 'Tents Inc', 'slack:slack'],
  ['Zoom', 'Foto Tools Ltd', 'zoom:zoom'],
  ['Python', 'Serpent Games', 'python:python'],
  ['Teams', 'Contoso Sports', 'microsoft:teams'],
  ['Python Launcher', 'Python Software Foundation', 'python:python'],
  ['Oracle VM VirtualBox Guest Additions 7.0.12', 'Oracle and/or its affiliates', 'oracle:vm_virtualbox'],
  ['Microsoft ODBC Driver 17 for SQL Server', 'Microsoft Corporation', 'microsoft:sql_server'],
  ['Veeam Plug-in for SAP HANA', 'Veeam Software Group GmbH', 'sap:hana'],
  ['PostgreSQL ODBC Driver 13.02', 'PostgreSQL Global Development Group', 'postgresql:postgresql'],
  ['Microsoft Teams Meeting Add-in for Microsoft Office', 'Microsoft', 'microsoft:office'],
])('%s of %s is not %s', (name, vendor, unwanted) => {
  const [, product = ''] = unwanted.split(':')
  const catalogue = catalogueOf([{ vendor: unwanted.slice(0, -product.length - 1), product }])
  expect(first(name, vendor)).not.toBe(unwanted)
  expect(cpeCandidates(name, vendor, catalogue).map((it) => `${it.vendor}:${it.product}`)).not.toContain(
    unwanted,
  )
})

test('a catalogue finds other spellings by a maker that agrees, and not by one that does not', () => {
  const pairs = [
    { vendor: 'acmewidgets', product: 'photo_gallery' },
    { vendor: 'somebody', product: 'cms' },
  ]
  const catalogue = catalogueOf([...pairs, ...pairs])
  expect(cpeCandidates('PhotoGallery', 'Acme Widgets', catalogue)[0]).toMatchObject(pairs[0] ?? {})
  const [cms] = cpeCandidates('CMS', 'Acme Widgets', catalogue)
  expect(cms?.score).toBeLessThan(0.5)
})

const made = catalogueOf(
  (
    'fabrikam:road_planner fabrikam:fleet_route_manager fabrikam:kiosk_shell fabrikam:fabrikam fabrikam:print_hub ' +
    'fabrikam:print_hub_connector fabrikam:meter_hub_firmware fabrikam:ledger_4 fabrikam:vortexine ' +
    'contoso:garden_book contoso:alpine contosolabs:tide_watch zebulon_project:zebulon other:password_box ' +
    'third:password_box_lite fourth:vaultrique oracle:mysql oracle:mysql_connector golang:go mozilla:firefox'
  )
    .split(' ')
    .map((pair) => {
      const [vendor = '', product = ''] = pair.split(':')
      return { vendor, product }
    }),
)

/** The catalogue decides which spelling, with or without which part, is the product. */
test.each([
  ['Road Planner', 'Fabrikam Inc.', 'fabrikam:road_planner'],
  ['Road&nbsp;Planner&#8482; 2024', 'Fabrikam&reg;', 'fabrikam:road_planner'],
  ['Fabrikam Road Planners – maps for everybody', 'Fabrikam', 'fabrikam:road_planner'],
  ['Road Planner&#x2122; (R) 2024', 'AO Fabrikam', 'fabrikam:road_planner'],
  ['Maps - Road Planner for Windows', 'Fabrikam', 'fabrikam:road_planner'],
  ['Planner, Road', 'Fabrikam', 'fabrikam:road_planner'],
  ['FRM', 'Fabrikam', 'fabrikam:fleet_route_manager'],
  ['Meter-Hub', 'Fabrikam', 'fabrikam:meter_hub_firmware'],
  ['Kiosk', 'Fabrikam', 'fabrikam:kiosk_shell'],
  ['Fabrikam Core', 'Fabrikam', 'fabrikam:fabrikam'],
  ['Vortexine Broker', 'Fabrikam', 'fabrikam:vortexine'],
  ['Tide Watch Standard Edition', 'Contoso', 'contosolabs:tide_watch'],
  ['Zebulon', 'Jo Doe', 'zebulon_project:zebulon'],
  ['Vaultrique', 'Jo Doe', 'fourth:vaultrique'],
  ['crypto/tls', 'Go standard library', 'golang:go'],
])('with a catalogue %s of %s is %s', (name, vendor, wanted) => {
  const [best] = cpeCandidates(name, vendor, made)
  expect(best && `${best.vendor}:${best.product}`).toBe(wanted)
})

/** Year, what it is for, and parts behind a dash: with them where the catalogue has that, else without. */
test.each<[string, string, string]>([
  ['Mooring 2031', 'mooring_2031 mooring', 'mooring_2031'],
  ['Mooring 2031', 'mooring', 'mooring'],
  ['Mooring 2031', 'mooring_2030 mooring', 'mooring'],
  ['Mooring for Harbours', 'mooring_for_harbours mooring', 'mooring_for_harbours'],
  ['Mooring for Windows', 'mooring', 'mooring'],
  ['Mooring for Windows', 'mooring_for_windows mooring', 'mooring_for_windows'],
  ['Mooring - Harbour Log', 'mooring-harbour_log mooring', 'mooring-harbour_log'],
  ['Mooring - Harbour Log', 'mooring_harbour_log mooring', 'mooring_harbour_log'],
  ['Mooring - Harbour Log', 'mooring_-_harbour_log mooring', 'mooring_-_harbour_log'],
  ['Mooring - Harbour Log', 'mooring', 'mooring'],
  ['Mooring&trade; &ndash; Harbour Log', 'mooring', 'mooring'],
  ['Mooring(R) 2031 &amp; Berth', 'mooring_2031_&_berth mooring', 'mooring_2031_&_berth'],
  ['Mooring\u00ae', 'mooring', 'mooring'],
])('issue 18: %s among %s is %s', (name, products, wanted) => {
  const catalogue = catalogueOf(products.split(' ').map((product) => ({ vendor: 'saltware', product })))
  expect(cpeCandidates(name, 'Saltware GmbH', catalogue)[0]).toMatchObject({
    vendor: 'saltware',
    product: wanted,
  })
})

/** What is beside a product, or of another maker, is not that product. */
test.each([
  ['Print Hub Driver', 'Fabrikam', 'fabrikam:print_hub'],
  ['Road Planner Extension for Browsers', 'Fabrikam', 'fabrikam:road_planner'],
  ['Road Planner – Toll Add-on', 'Jo Doe', 'fabrikam:road_planner'],
  ['Road Planner Update Service', 'Fabrikam', 'fabrikam:road_planner'],
  ['MySQL Plugin', 'Oracle', 'oracle:mysql'],
  ['Firefox Video Extension', 'Jo Doe', 'mozilla:firefox'],
  ['Password Box', 'Jo Doe', 'other:password_box'],
  ['Alpine', 'Fabrikam', 'contoso:alpine'],
  ['Vaultrique', 'Doe Brothers GmbH', 'fourth:vaultrique'],
  ['Road Planner Guest Additions', 'Fabrikam', 'fabrikam:road_planner'],
])('with a catalogue %s of %s is not %s', (name, vendor, unwanted) => {
  const pairs = cpeCandidates(name, vendor, made).map((it) => `${it.vendor}:${it.product}`)
  expect(pairs).not.toContain(unwanted)
  expect(cpeCandidates(name, vendor).map((it) => `${it.vendor}:${it.product}`)).not.toContain(unwanted)
})

test('hostile names end', () => {
  for (const part of ['1.', '(', ' for ', 'a-', '- ', 'version ', ' update 1', '\0', '1.2-', ', inc']) {
    const long = part.repeat(100_000 / part.length)
    expect(cpeCandidates(long, long).length).toBeLessThanOrEqual(5)
    expect(cpeCandidates(long, long, made).length).toBeLessThanOrEqual(5)
  }
  expect(cpeCandidates('', '')).toEqual([])
})

const PRECISION_MIN = 0.97
const RECALL_MIN = 0.84
const SCORE_MIN = 0.6

interface Label {
  readonly vendor: string
  readonly product: string
  readonly cpes: readonly string[]
}

sharedData('matching/name-to-cpe.jsonl.gz', 'labelled names', (path) => {
  test('are found in a catalogue that has them, and not taken for others', () => {
    const lines = gunzipSync(readFileSync(path)).toString('utf8').trimEnd().split('\n')
    const labels = lines.map((line): Label => JSON.parse(line))
    const catalogue = catalogueOf(labels.flatMap(({ cpes }) => cpes.map(pairOf)))
    const guesses = labels.flatMap(({ product, vendor, cpes }) => {
      const [best] = cpeCandidates(product, vendor, catalogue)
      if (!best || best.score < SCORE_MIN) return []
      return [cpes.map(pairOf).some((it) => it.vendor === best.vendor && it.product === best.product)]
    })
    const right = guesses.filter(Boolean).length
    expect(right / guesses.length).toBeGreaterThanOrEqual(PRECISION_MIN)
    expect(right / labels.length).toBeGreaterThanOrEqual(RECALL_MIN)
  })
})

/** `a:vendor:product`, escaped. */
function pairOf(cpe: string): Pair {
  const [, vendor = '', product = ''] = cpe.split(/(?<!\\):/).map((it) => it.replaceAll(/\\(.)/g, '$1'))
  return { vendor, product }
}
