import { addressIn } from '../company.ts'
import { macIn, plantMachines, serialOf } from '../hardware-models.ts'
import { seenTogether, type Part } from './generator.ts'

const LINES = 24
const roles = ['plc', 'plc', 'hmi', 'drive', 'io', 'sensor', 'gateway']

/** Never scanned: a listener hears it, and the plant keeps a register by hand. */
export const plant: Part = {
  name: 'plant',
  share: 50,
  see(number, estate, draw) {
    const line = number % LINES
    const rank = Math.floor(number / LINES)
    const role = draw.pick(roles)
    const { vendor, model, ouis } = draw.pick(plantMachines)
    const mac = macIn(draw.pick(ouis), number)
    const station = `line${line + 1}-${role}-${String(rank + 1).padStart(4, '0')}`
    const tags = [`line:${line + 1}`, 'criticality:high']
    const seen = seenTogether(estate, draw)
    const heard = seen('passive', mac, {
      ids: { mac, ip: addressIn('192.168', line * 10, rank), hostname: station },
      name: station,
      assetType: 'ot_device',
      vendor,
      facts: {
        protocols: draw.pick([['PROFINET'], ['EtherNet/IP'], ['Modbus/TCP'], ['EtherCAT', 'OPC UA']]),
      },
    })
    if (draw.percent(30)) return [heard]
    const serial = serialOf('P1', number)
    return [
      heard,
      seen('plantRegister', `serial:${serial}`, {
        ids: { serial, mac, hostname: station },
        vendor,
        model,
        tags,
      }),
    ]
  },
}
