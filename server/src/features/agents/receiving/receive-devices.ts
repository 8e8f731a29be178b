import { submit } from '#features/sources/sources.ts'
import { permit } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { agentNames } from '../agent.ts'
import * as store from '../agent-store.ts'
import { DEVICE_CATEGORIES, networkDevicesIn } from '../mapping/network-device.ts'
import type { Message } from '../messages/message.ts'
import { noteContact, type Sender } from './receive-inventory.ts'

/** How faults begin that another message without any ends; those of inventories stay. */
const FAULT = 'network devices: '
const AT_ONCE = 200
/** Agents send what they found in parts of a few; each device is an asset. */
const DEVICES_MAX = 2_000

/**
 * Takes what an agent saw of its network, which it is never asked for: devices are observations of the agents' source, under
 * keys of their own. That counts as a report of the agent. Throws 400 naming the field of the first that the intake rejects,
 * which is noted at the agent; the others stay.
 */
export async function receiveDevices(sender: Sender, message: Message): Promise<void> {
  const { kind, token } = sender
  const { ctx, tags } = token
  permit(ctx, 'assets:write')
  const agentIds = await noteContact(sender, message.deviceId)
  const refuse = async (field: string, text: string): Promise<never> => {
    for (const id of agentIds) await store.noteProblem(ctx, id, `${FAULT}${field}: ${text}`)
    throw invalid(field, text)
  }
  for (const category of DEVICE_CATEGORIES)
    if ((message.content.get(category)?.length ?? 0) > DEVICES_MAX)
      await refuse(`content.${category}`, `there are more than ${DEVICES_MAX} devices in one message`)
  const devices = networkDevicesIn(message, { seenAt: ctx.now(), deviceId: message.deviceId, tags })
  const source = { kind, key: kind, name: agentNames[kind] }
  const faults: { readonly field: string; readonly message: string }[] = []
  for (let at = 0; at < devices.length; at += AT_ONCE)
    faults.push(...(await submit(ctx, source, devices.slice(at, at + AT_ONCE))).rejected)
  const [first] = faults
  if (faults.length < devices.length || devices.length === 0)
    await store.noteDevices(ctx, agentIds, { at: ctx.now(), fault: FAULT })
  if (first) await refuse(first.field, first.message)
}
