import type { Json } from '#features/assets/observation.ts'
import { first, number } from './wmi-classes.ts'
import type { Reading } from './wmi-queries.ts'

/** How a Windows host protects itself. Where it does not answer, nothing is told. */

const ENCRYPTION = 'root/CIMV2/Security/MicrosoftVolumeEncryption'
/** `ProtectionStatus` of Win32_EncryptableVolume; 2 is a volume that is locked. */
const [PROTECTION_OFF, PROTECTION_ON] = [0, 1]
/** `VolumeType` of Win32_EncryptableVolume. */
const SYSTEM_VOLUME = 0

/** BitLocker of the volume that Windows starts from; only administrators are told. */
export async function encryptionOf({ all }: Reading): Promise<Readonly<Record<string, Json>>> {
  const volumes = await all(
    'select DriveLetter, ProtectionStatus, VolumeType from Win32_EncryptableVolume',
    ENCRYPTION,
  )
  const system = volumes.find((it) => number(it, 'VolumeType') === SYSTEM_VOLUME)
  const status = system && number(system, 'ProtectionStatus')
  if (status !== PROTECTION_OFF && status !== PROTECTION_ON) return {}
  return { protection: { diskEncryption: status === PROTECTION_ON ? 'bitlocker' : 'none' } }
}

/** `Enabled` of MSFT_NetFirewallProfile; 2 leaves it to a group policy. */
const states: Readonly<Record<number, string>> = { 0: 'off', 1: 'on' }

/** Of each profile, whether it is on; none of them where one leaves that to a policy, which is not read. */
export async function firewallsOf({ all }: Reading): Promise<Json[]> {
  const profiles = await all('select Name, Enabled from MSFT_NetFirewallProfile', 'root/StandardCimv2')
  const read = profiles.map((it) => ({
    profile: first(it, 'Name').toLowerCase(),
    status: states[number(it, 'Enabled') ?? 2] ?? '',
  }))
  return read.every(({ status }) => status !== '') ? read : []
}
