import type { DeviceType } from '#api/generated/enums-and-inputs.ts'

const NAMES: Readonly<Record<DeviceType, string>> = {
  workstation: 'Workstation',
  server: 'Server',
  router: 'Router',
  switch: 'Switch',
  firewall: 'Firewall',
  printer: 'Printer',
  camera: 'Camera',
  sensor: 'Sensor',
  gateway: 'Gateway',
  access_point: 'Access point',
  load_balancer: 'Load balancer',
  storage: 'Storage',
  unknown: 'Unknown',
}

export const deviceTypeName = (type: DeviceType): string => NAMES[type]
export const deviceTypes = Object.keys(NAMES) as readonly DeviceType[]
