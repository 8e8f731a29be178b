import type { Credential } from '../credential-access.ts'
import { hostCheckFor } from '../host-key-check.ts'
import { reading } from '../wmi/wmi-queries.ts'
import { originOf } from '../wmi/http-connection.ts'
import { accountOf, openSession, SignInRefused, usualPort } from '../wmi/session.ts'
import { placeOf } from '../wmi/authentication.ts'
import { NoSoap, SoapFault } from '../wmi/soap.ts'
import { wsman } from '../wmi/wsman.ts'
import { readHyperV } from './hyper-v-guests.ts'
import type { PlatformObject } from './machine-observation.ts'
import {
  InsufficientAccess,
  CredentialRefused,
  type HypervisorSession,
  type AccessMethod,
  type AccessContext,
} from './access-method.ts'

/** Hyper-V through WS-Management, as wmi scans read Windows. */
export const hyperV: AccessMethod = { title: 'Hyper-V', kinds: ['winrm'], port: usualPort('http'), logIn }

async function logIn(
  credential: Credential,
  { address, access, signal }: AccessContext,
): Promise<HypervisorSession> {
  if (credential.kind !== 'winrm') throw new CredentialRefused('no account of Windows')
  const place = placeOf(address, credential)
  const means = { access: hostCheckFor(access, credential), signal, now: () => new Date() }
  const session = await openSession(place, accountOf(credential), means).catch((error: unknown) => {
    if (!(error instanceof SignInRefused)) throw error
    throw new CredentialRefused(`${originOf(place)} refused to sign in ${credential.username}`)
  })
  const service = wsman(`${originOf(place)}/wsman`, session.exchange)
  return { read: () => guests(readHyperV(reading(service), address), address), close: session.close }
}

async function* guests(seen: AsyncIterable<PlatformObject>, address: string): AsyncGenerator<PlatformObject> {
  try {
    yield* seen
  } catch (error) {
    if (!(error instanceof SoapFault || error instanceof NoSoap)) throw error
    throw new InsufficientAccess(
      `${address} let the account in and tells nothing of Hyper-V: ${error.message}; ` +
        'it must be a member of Hyper-V Administrators, and the role Hyper-V must be there',
    )
  }
}
