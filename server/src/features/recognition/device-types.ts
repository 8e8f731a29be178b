/** What a device is for; the order is the contract's. `unknown` also stands for devices that fit none of the others. */
export const deviceTypes = [
  'workstation',
  'server',
  'router',
  'switch',
  'firewall',
  'printer',
  'camera',
  'sensor',
  'gateway',
  'access_point',
  'load_balancer',
  'storage',
  'unknown',
] as const
export type DeviceType = (typeof deviceTypes)[number]
