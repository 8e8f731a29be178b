import { submit } from '#features/sources/sources.ts'
import { permit } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { agentNames } from '../agent.ts'
import { networkDevicesIn } from '../mapping/network-device.ts'
import type { Message } from '../messages/message.ts'
import { noteContact, type Sender } from './receive-inventory.ts'

const AT_ONCE = 200

/**
 * Takes what an agent saw of its network, which it is never asked for: devices are observations of the agents' source, under
 * keys of their own. Throws 400 naming the field of the first that the intake rejects; the others stay.
 */
export async function receiveDevices(sender: Sender, message: Message): Promise<void> {
  const { kind, token } = sender
  const { ctx, tags } = token
  permit(ctx, 'assets:write')
  await noteContact(sender, message.deviceId)
  const devices = networkDevicesIn(message, { seenAt: ctx.now(), deviceId: message.deviceId, tags })
  const source = { kind, key: kind, name: agentNames[kind] }
  const faults: { readonly field: string; readonly message: string }[] = []
  for (let at = 0; at < devices.length; at += AT_ONCE)
    faults.push(...(await submit(ctx, source, devices.slice(at, at + AT_ONCE))).rejected)
  const [first] = faults
  if (first) throw invalid(first.field, first.message)
}
