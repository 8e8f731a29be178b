import type { InstalledSoftware } from '#features/assets/observation.ts'
import { linesOf } from '../parsing/csv-records.ts'
import { Rejections } from '../running/rejections.ts'
import { ENTRIES_MAX, shown, type Content, type DocumentFormat, type SoftwareDocument } from './document.ts'

const LINES_LOOKED_AT = 20
const LINE_LENGTH_MAX = 4_096

/** `dpkg -l`, or `dpkg-query -W` in its default format. */
export const dpkgList: DocumentFormat = {
  kind: 'dpkg-list',
  recognises: (head) =>
    head.startsWith('Desired=Unknown/Install') || mostLines(head, (it) => readPair(it) !== undefined),
  read: (content) => readLines(content, 'dpkg', readDpkg),
}

/** `rpm -qa`, also with the epoch, as `--qf '%{NEVRA}\n'` prints it. */
export const rpmList: DocumentFormat = {
  kind: 'rpm-list',
  recognises: (head) => mostLines(head, (it) => readNevra(it) !== undefined),
  read: (content) => readLines(content, 'rpm', readNevra),
}

/** `apk list -I` or `apk info -v`. */
export const apkList: DocumentFormat = {
  kind: 'apk-list',
  recognises: (head) => mostLines(head, (it) => readApk(it) !== undefined),
  read: (content) => readLines(content, 'apk', readApk),
}

/** The item of a line; `none` for one that lists nothing installed, undefined for one that is not understood. */
type ReadLine = (line: string) => InstalledSoftware | 'none' | undefined

async function readLines(
  content: Content,
  origin: 'dpkg' | 'rpm' | 'apk',
  read: ReadLine,
): Promise<SoftwareDocument> {
  const items: InstalledSoftware[] = []
  const rejections = new Rejections()
  for await (const line of linesOf(content())) {
    const text = line.text.replace(/\r$/, '')
    if (text.trim() === '' && !line.tooLong) continue
    const found = line.tooLong || text.length > LINE_LENGTH_MAX ? undefined : read(text)
    if (found === 'none') continue
    if (found && items.length < ENTRIES_MAX) items.push(found)
    else {
      const message = found
        ? `is beyond the ${ENTRIES_MAX} that are taken`
        : `is no line of the list: ${shown(text)}`
      rejections.add({ line: line.number, field: 'package', message })
    }
  }
  return { report: { complete: [origin], items }, rejections }
}

/** Of the whole lines at the beginning the first and most others. */
function mostLines(head: string, fits: (line: string) => boolean): boolean {
  const whole = head.includes('\n') ? head.slice(0, head.lastIndexOf('\n')) : head
  const lines = whole
    .split('\n')
    .map((it) => it.replace(/\r$/, ''))
    .filter((it) => it.trim() !== '')
    .slice(0, LINES_LOOKED_AT)
  const [first] = lines
  return first !== undefined && fits(first) && lines.filter(fits).length * 2 > lines.length
}

const NAME = /^[a-z0-9][a-z0-9+.-]+(?::([a-z0-9-]+))?$/
const HEADING = /^(?:Desired=|\| |\|\/ |\|\||\+\+\+-)/

function readDpkg(line: string): InstalledSoftware | 'none' | undefined {
  if (HEADING.test(line)) return 'none'
  const [status = '', name = '', version, arch] = line.trim().split(/\s+/)
  if (!/^[uihrp][ncHUFWti][R ]?$/.test(status) || version === undefined || line.includes('\t'))
    return readPair(line)
  // configuration files may be left of what was removed
  if (status[1] !== 'i') return 'none'
  return dpkgItem(name, version, arch)
}

function readPair(line: string): InstalledSoftware | 'none' | undefined {
  const [name = '', version, ...others] = line.split('\t')
  if (version === undefined || others.length > 0 || !NAME.test(name)) return undefined
  return version === '' ? 'none' : dpkgItem(name, version)
}

function dpkgItem(name: string, version: string, arch?: string): InstalledSoftware | undefined {
  const [, ofName] = NAME.exec(name) ?? []
  if (!NAME.test(name) || !/^(?:[0-9]+:)?[0-9][\w.+~:-]*$/.test(version)) return undefined
  const known = arch ?? ofName
  return {
    origin: 'dpkg',
    name: name.split(':')[0] ?? name,
    version,
    ...(known !== undefined && { arch: known }),
  }
}

const RPM_ARCHITECTURE =
  /^(?:noarch|x86_64|i[3-6]86|aarch64|armv\w+|ppc64(?:le)?|s390x?|riscv64|src|\(none\))$/

function readNevra(line: string): InstalledSoftware | undefined {
  const text = line.trim()
  const point = text.lastIndexOf('.')
  const arch = text.slice(point + 1)
  const [, name = '', version = '', release = ''] =
    /^([A-Za-z0-9_][\w.+-]*)-((?:[0-9]+:)?[\w.+~^]+)-([\w.+~^]+)$/.exec(text.slice(0, point)) ?? []
  if (point < 0 || name === '' || !RPM_ARCHITECTURE.test(arch)) return undefined
  return { origin: 'rpm', name, version: `${version}-${release}`, ...(arch !== '(none)' && { arch }) }
}

function readApk(line: string): InstalledSoftware | 'none' | undefined {
  const [label = '', arch = '', origin = ''] = line.trim().split(/\s+/)
  const [, name, version] = /^([A-Za-z0-9_][\w.+-]*)-([0-9][\w.~]*-r[0-9]+)$/.exec(label) ?? []
  if (name === undefined || version === undefined) return undefined
  if (arch === '') return { origin: 'apk', name, version }
  if (!line.includes('[installed')) return 'none'
  const source = /^\{(.+)\}$/.exec(origin)?.[1]
  return { origin: 'apk', name, version, arch, ...(source !== undefined && { source: { name: source } }) }
}
