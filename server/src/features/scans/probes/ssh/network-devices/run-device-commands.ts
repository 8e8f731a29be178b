import type { Identifier, Json, Observation } from '#features/assets/observation.ts'
import { openDialogue, type Dialogue } from './terminal.ts'
import type { Place } from '../connection/tcp-connect.ts'
import { deviceIn, type Device } from './read-device.ts'
import { handshakeFacts, handshakeIdentifiers, sourceKeyOf } from '../unauthenticated-observation.ts'
import { HostFailure } from '../connection/host-failure.ts'
import type { Limits } from '../timeouts-and-limits.ts'
import { defined } from '../unix/read-system.ts'
import type { HandshakeInfo, Session } from '../connection/session.ts'

export interface DeviceContext {
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly limits: Limits
  /** Called with each command and its output. */
  readonly onAnswer: (question: string, answer: string) => void
}

/** Servers of devices that have a command line of their own and no Unix shell. */
const DEVICES =
  /^SSH-[\d.]+-(Cisco-|ROSSSH|Mocana|HUAWEI|Comware|Zyxel|IPSSH|RomSShell|FortiSSH|NetScreen|AOS_SSH|Adtran|Sun_SSH_0)/i

export const isDevice = ({ ident }: HandshakeInfo): boolean => DEVICES.test(ident)

/** Commands that show what a device is, in the order of how many makers know them. None changes anything. */
const FIRST_WORDS = [
  'show version',
  'get system status',
  'display version',
  '/system resource print',
  'show system info',
  'show system',
]

/** A terminal that answers nothing to so many commands is not one of a device. */
const SILENCES_MAX = 2

/** Types commands at the prompt until a vendor's answer is recognised, then the commands of that vendor. */
export async function askDevice(
  session: Session,
  place: Place,
  handshake: HandshakeInfo,
  means: DeviceContext,
): Promise<Observation> {
  const dialogue = await openDialogue(session.client, means)
  if (!dialogue) throw noShell(place, 'neither runs a command nor opens a terminal')
  try {
    const device = await recognised({ ...dialogue, ask: telling(dialogue, means) })
    if (!device)
      throw noShell(
        place,
        `answers nothing that is known (${dialogue.greeting.slice(-200).trim() || 'it is silent'})`,
      )
    return deviceSeen(place, handshake, device, means.now())
  } finally {
    dialogue.close()
  }
}

const noShell = ({ address, port }: Place, why: string): HostFailure =>
  new HostFailure(
    'shell',
    `${address}:${port} let us in but ${why}; give an account with a POSIX shell, or one that may show the version of the device`,
  )

const telling =
  ({ ask }: Dialogue, { onAnswer }: DeviceContext): Dialogue['ask'] =>
  async (question) => {
    const answer = await ask(question)
    onAnswer(question, answer)
    return answer
  }

async function recognised(dialogue: Dialogue): Promise<Device | undefined> {
  const answers: string[] = []
  let silences = 0
  for (const words of FIRST_WORDS) {
    const answer = await dialogue.ask(words)
    answers.push(answer)
    if (answer.trim() === '' && ++silences >= SILENCES_MAX) return undefined
    const found = deviceIn(answers.join('\n'))
    if (!found) continue
    for (const more of found.ask) answers.push(await dialogue.ask(more))
    return { ...found.read(answers.join('\n')), ...defined({ notes: dialogue.notes() }) }
  }
  return undefined
}

function deviceSeen(place: Place, handshake: HandshakeInfo, device: Device, seenAt: Date): Observation {
  const { vendor, model, serial, system, version, hostname, macs, notes } = device
  const identifiers: readonly Identifier[] = [
    ...handshakeIdentifiers(place, handshake),
    ...(serial === undefined ? [] : [{ type: 'serial' as const, value: serial }]),
    ...(hostname === undefined ? [] : [{ type: 'hostname' as const, value: hostname.toLowerCase() }]),
    ...macs.map((value) => ({ type: 'mac' as const, value })),
  ]
  const facts: Record<string, Json> = {
    ...handshakeFacts(place, handshake),
    system,
    ...defined({ systemVersion: version }),
    ...(notes !== undefined && notes.length > 0 && { notes: [...notes] }),
  }
  return {
    sourceKey: sourceKeyOf(place, handshake),
    seenAt,
    assetType: 'device',
    vendor,
    ...defined({ model, name: hostname }),
    os: version === undefined ? system : `${system} ${version}`,
    identifiers,
    facts,
  }
}
