import { X509Certificate } from 'node:crypto'
import { present, type Json, type JsonObject } from '../../json.ts'
import { certificateFacts } from '../certificate-facts.ts'
import type { Machine } from '../machine.ts'
import { usedPercent } from '../used-space.ts'
import { answersOf, numberOf, textOf } from './answers.ts'

const CERTIFICATES_MAX = 200
const LOCAL_DISK = 3

/** Accounts of this machine. Domain controllers have none. */
export async function userAccounts(machine: Machine): Promise<Json | undefined> {
  const { rows, texts } = await answersOf(machine)
  const administrators = new Set(texts('administrators'))
  const users = rows('users').map((it) =>
    present({
      name: textOf(it, 'Name'),
      // the last part of the SID: 500 is the built-in administrator, 501 the guest
      rid: Number(/-(\d+)$/.exec(textOf(it, 'SID'))?.[1] ?? Number.NaN) || undefined,
      canLogIn: it['Enabled'] === true,
      isAdministrator: administrators.has(textOf(it, 'SID')),
    }),
  )
  return users.length === 0 ? undefined : users
}

/** MSFT_PhysicalDisk: 3 turns, 4 does not; bus 7 is USB. */
export async function disks(machine: Machine): Promise<Json> {
  const { rows } = await answersOf(machine)
  return {
    disks: rows('disks').map((it) =>
      present({
        name: textOf(it, 'FriendlyName'),
        vendor: textOf(it, 'Manufacturer'),
        model: textOf(it, 'Model'),
        serial: textOf(it, 'SerialNumber').replace(/\.$/, ''),
        sizeBytes: numberOf(it, 'Size'),
        type: { 3: 'hdd', 4: 'ssd' }[numberOf(it, 'MediaType') ?? 0],
        isRemovable: numberOf(it, 'BusType') === 7,
      }),
    ),
    fileSystems: rows('volumes')
      .filter((it) => numberOf(it, 'DriveType') === LOCAL_DISK)
      .map((it) => {
        const [size, free] = [numberOf(it, 'Size'), numberOf(it, 'FreeSpace')]
        return present({
          device: textOf(it, 'DeviceID'),
          mountedAt: textOf(it, 'DeviceID'),
          type: textOf(it, 'FileSystem').toLowerCase(),
          sizeBytes: size,
          usedPercent: usedPercent(size, free),
        })
      }),
  }
}

/**
 * BitLocker of the system's volume, the firewall when all of its profiles are on, and the antivirus programs that the
 * Security Center knows (servers have none; there Defender itself is asked).
 */
export async function protection(machine: Machine): Promise<Json> {
  const { row, rows, value } = await answersOf(machine)
  const system = rows('encryption').find((it) => textOf(it, 'DriveLetter').toUpperCase() === 'C:')
  const profiles = rows('firewall')
  const known = rows('antivirus').map((it) => textOf(it, 'displayName'))
  const hasDefender = row('defender')['AntivirusEnabled'] === true
  const antivirus = [...new Set([...known, ...(hasDefender ? ['Microsoft Defender Antivirus'] : [])])]
  return present({
    diskEncryption: system && (numberOf(system, 'ProtectionStatus') === 1 ? 'bitlocker' : 'none'),
    firewall:
      profiles.length === 0
        ? undefined
        : profiles.every((it) => numberOf(it, 'Enabled') === 1)
          ? 'windows'
          : 'none',
    // servers know of no other program, so that none is not told
    antivirus: antivirus.length > 0 ? antivirus.toSorted() : undefined,
    secureBoot: typeof value('secureBoot') === 'number' ? value('secureBoot') === 1 : undefined,
  })
}

/** Of the machine's own store. */
export async function certificates(machine: Machine): Promise<Json | undefined> {
  const { texts } = await answersOf(machine)
  const found = texts('certificates')
    .slice(0, CERTIFICATES_MAX)
    .flatMap((text): JsonObject[] => {
      try {
        return [certificateFacts(new X509Certificate(Buffer.from(text, 'base64')), 'LocalMachine\\My')]
      } catch {
        return []
      }
    })
  return found.length === 0 ? undefined : found
}
