/** Instance ids by the names that cloud-init has for the clouds (/run/cloud-init/cloud-id), and ours for them. */
const clouds: Readonly<Record<string, readonly [name: string, id: RegExp]>> = {
  aws: ['aws', /^i-[0-9a-f]{8,17}$/],
  azure: ['azure', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
  gce: ['gcp', /^\d{1,20}$/],
}

/**
 * The id that a cloud provider gave the machine, as connectors tell it: `aws:i-…`, `azure:<vmId>`, `gcp:<number>`. From
 * the asset tag of the board on AWS, which needs no privilege, else from cloud-init. `hardware` are lines of DMI fields,
 * `cloudInit` the name of the cloud in this boot and the id of the instance, a line each.
 */
export function cloudInstanceIn(hardware: string, cloudInit: string): string | undefined {
  const tag = /^board_asset_tag=(i-[0-9a-f]{8,17})\s*$/m.exec(hardware)?.[1]
  if (tag !== undefined && /^sys_vendor=Amazon EC2\s*$/m.test(hardware)) return `aws:${tag}`
  const [cloud = '', id = ''] = cloudInit.split('\n').map((line) => line.trim().toLowerCase())
  const [name, form] = Object.hasOwn(clouds, cloud) ? (clouds[cloud] ?? []) : []
  return form?.test(id) ? `${name}:${id}` : undefined
}
