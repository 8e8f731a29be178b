import type { AttributeName } from '#api/generated/enums-and-inputs.ts'

const NAMES: Readonly<Record<AttributeName, string>> = {
  name: 'Name',
  assetType: 'Type',
  deviceType: 'Device type',
  os: 'Operating system',
  vendor: 'Maker',
  model: 'Model',
  hostname: 'Host name',
  ipAddress: 'IP address',
  macAddress: 'MAC address',
  serial: 'Serial',
}

export const attributeName = (attribute: AttributeName): string => NAMES[attribute]
