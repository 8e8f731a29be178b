import type { Credential } from '../credential-access.ts'
import { hostCheckFor } from '../host-key-check.ts'
import { reading } from '../wmi/wmi-queries.ts'
import { originOf } from '../wmi/http-connection.ts'
import { accountOf, openSession, SignInRefused, usualPort } from '../wmi/session.ts'
import { placeOf } from '../wmi/authentication.ts'
import { NoSoap, SoapFault } from '../wmi/soap.ts'
import { wsman } from '../wmi/wsman.ts'
import { readHyperV } from './hyper-v-guests.ts'
import type { Seen } from './machine-observation.ts'
import { LetInForNothing, Refused, type Entry, type Way, type WayMeans } from './access-method.ts'

/** Hyper-V through WS-Management, as wmi scans read Windows. */
export const hyperV: Way = { title: 'Hyper-V', kinds: ['winrm'], port: usualPort('http'), enter }

async function enter(credential: Credential, { address, access, signal }: WayMeans): Promise<Entry> {
  if (credential.kind !== 'winrm') throw new Refused('no account of Windows')
  const place = placeOf(address, credential)
  const means = { access: hostCheckFor(access, credential), signal, now: () => new Date() }
  const session = await openSession(place, accountOf(credential), means).catch((error: unknown) => {
    if (!(error instanceof SignInRefused)) throw error
    throw new Refused(`${originOf(place)} refused to sign in ${credential.username}`)
  })
  const service = wsman(`${originOf(place)}/wsman`, session.exchange)
  return { read: () => told(readHyperV(reading(service), address), address), close: session.close }
}

async function* told(seen: AsyncIterable<Seen>, address: string): AsyncGenerator<Seen> {
  try {
    yield* seen
  } catch (error) {
    if (!(error instanceof SoapFault || error instanceof NoSoap)) throw error
    throw new LetInForNothing(
      `${address} let the account in and tells nothing of Hyper-V: ${error.message}; ` +
        'it must be a member of Hyper-V Administrators, and the role Hyper-V must be there',
    )
  }
}
