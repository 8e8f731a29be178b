import { present, type Json } from '../../json.ts'
import type { Machine } from '../machine.ts'

/** Made by container engines and their networks: they come and go with containers. */
const MADE = /^(lo|veth|docker|br-|cni|cali|flannel|virbr|vnet|lxc|podman|kube|nodelocaldns)/

/** Interfaces by name, with MAC and addresses. `isVirtual`: no device stands behind it. */
export async function networkInterfaces(machine: Machine): Promise<Json> {
  const addresses = machine.interfaces()
  const names = (await machine.list('/sys/class/net')).filter((it) => !MADE.test(it))
  return Promise.all(
    names.map(async (name) => {
      const mac = (await machine.read(`/sys/class/net/${name}/address`))?.trim()
      const device = await machine.link(`/sys/class/net/${name}/device`)
      const speed = Number((await machine.read(`/sys/class/net/${name}/speed`))?.trim())
      return present({
        name,
        mac,
        addresses: (addresses[name] ?? []).map(({ address }) => address).toSorted(),
        isVirtual: device === undefined,
        speedMbps: speed > 0 ? speed : undefined,
      })
    }),
  )
}
