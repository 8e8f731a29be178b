import type { Json } from '#features/assets/observation.ts'
import { factsWithin } from '../mapping/inventory-facts.ts'
import type { Sections } from './report-sections.ts'
import { fieldsOf, picked, rowsOf, textOf, textsOf, type Fields } from './section-values.ts'

/** Facts by the names that scans use for the same. */
export function factsIn(sections: Sections, agentVersion: string): Record<string, Json> {
  const [os, hardware, disks] = ['os', 'hardware', 'disks'].map((it) => fieldsOf(sections[it]))
  const kernel = textOf(os ?? {}, 'kernel')
  const architecture = textOf(os ?? {}, 'arch')
  const cloud = picked(fieldsOf(sections['cloud']), ['provider', 'instanceId', 'region'])
  const short: Record<string, Json> = {
    ...(agentVersion !== '' && { agentVersion }),
    ...(kernel !== undefined && { kernel }),
    ...(architecture !== undefined && { architecture }),
    ...picked(os ?? {}, ['timeZone']),
    ...picked(hardware ?? {}, hardwareFields),
    ...(sections['protection'] !== undefined && {
      protection: protectionIn(fieldsOf(sections['protection'])),
    }),
    ...(Object.keys(cloud).length > 0 && { cloud }),
  }
  const list = (name: string, fields: readonly string[]): Json[] =>
    rowsOf(sections[name]).map((row) => picked(row, fields))
  return factsWithin(short, {
    interfaces: rowsOf(sections['nics']).map((it) => ({
      name: textOf(it, 'name') ?? '',
      mac: textOf(it, 'mac') ?? '',
      addresses: textsOf(it, 'addresses'),
    })),
    fileSystems: rowsOf(disks?.['fileSystems']).map((it) =>
      picked(it, ['device', 'mountedAt', 'type', 'sizeBytes', 'usedPercent']),
    ),
    disks: rowsOf(disks?.['disks']).map((it) =>
      picked(it, ['name', 'vendor', 'model', 'serial', 'sizeBytes', 'type', 'isRemovable']),
    ),
    listening: rowsOf(sections['listening']).map(listeningText),
    services: rowsOf(sections['services']).flatMap((it) => textOf(it, 'name') ?? []),
    accounts: rowsOf(sections['users']).map(accountIn),
    administrators: rowsOf(sections['users'])
      .filter((it) => it['isAdministrator'] === true)
      .flatMap((it) => textOf(it, 'name') ?? []),
    certificates: list('certs', ['path', 'subject', 'issuer', 'serialNumber', 'sha256', 'expiresAt']),
    containers: list('containers', ['engine', 'id', 'name', 'image', 'imageId']),
  })
}

const hardwareFields = [
  'boardVendor',
  'boardModel',
  'boardSerial',
  'chassisType',
  'biosVendor',
  'biosVersion',
  'biosDate',
  'cpuModel',
  'cpuSockets',
  'cpuCores',
  'cpuThreads',
  'memoryBytes',
  'virtualization',
  'tpmVersion',
]

/** As scans that log in write it. On Unix an account without a shell is in order, so that only Windows says `isDisabled`. */
const accountIn = (fields: Fields): Json => ({
  ...picked(fields, ['name', 'uid', 'rid', 'home', 'isAdministrator']),
  ...(typeof fields['rid'] === 'number' && { isDisabled: fields['canLogIn'] === false }),
})

const protectionIn = (fields: Fields): Json => ({
  ...picked(fields, ['diskEncryption', 'firewall', 'secureBoot', 'selinux', 'apparmor']),
  ...(fields['antivirus'] !== undefined && { antivirus: textsOf(fields, 'antivirus') }),
})

/** As scans that log in write it: `tcp 0.0.0.0 22`. */
const listeningText = (fields: Fields): string =>
  `${textOf(fields, 'protocol') ?? ''} ${textOf(fields, 'address') ?? ''} ${Number(fields['port'])}`
