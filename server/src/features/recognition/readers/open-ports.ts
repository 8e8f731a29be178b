import type { DeviceType } from '../device-types.ts'
import type { Evidence } from '../signals.ts'

/** Ports that few kinds of devices open. All of `open` must be, none of `closed` may be. */
interface Profile {
  readonly open: readonly number[]
  readonly closed?: readonly number[]
  readonly type: DeviceType
  readonly worth: number
}

/** The first that fits decides. A print server on a general-purpose machine answers on 631 and 515 as well. */
const profiles: readonly Profile[] = [
  { open: [9100], closed: [3389, 2049, 102, 502], type: 'printer', worth: 0.7 },
  { open: [515, 631], closed: [22, 3389, 445], type: 'printer', worth: 0.6 },
  { open: [8291], type: 'router', worth: 0.7 },
  { open: [37777], type: 'camera', worth: 0.65 },
  { open: [34567], type: 'camera', worth: 0.6 },
  { open: [554], closed: [445, 3389, 548], type: 'camera', worth: 0.65 },
  { open: [902, 443], closed: [3389], type: 'server', worth: 0.55 },
  { open: [8006, 22], type: 'server', worth: 0.55 },
  { open: [5000, 5001], closed: [3389, 7000], type: 'storage', worth: 0.5 },
  { open: [3260], type: 'storage', worth: 0.5 },
  { open: [47808], type: 'sensor', worth: 0.6 },
  { open: [502], type: 'sensor', worth: 0.6 },
  { open: [88, 389, 445], type: 'server', worth: 0.7 },
  { open: [623], type: 'server', worth: 0.5 },
  { open: [5353, 7000, 5000], type: 'workstation', worth: 0.4 },
  { open: [1433], type: 'server', worth: 0.5 },
  { open: [135, 445], closed: [53, 88, 25, 1433], type: 'workstation', worth: 0.45 },
]

export function readPorts(ports: readonly number[]): Evidence | undefined {
  const open = new Set(ports)
  const fits = profiles.find(
    (profile) =>
      profile.open.every((port) => open.has(port)) && !profile.closed?.some((port) => open.has(port)),
  )
  return fits && { source: 'ports', confidence: fits.worth, deviceType: fits.type, vendor: '', model: '' }
}
