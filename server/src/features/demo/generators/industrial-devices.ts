import { addressIn } from '../company.ts'
import { macIn, industrialDevices, serialOf } from '../hardware-models.ts'
import { observer, type AssetGenerator } from './generator.ts'

const LINES = 24
const roles = ['plc', 'plc', 'hmi', 'drive', 'io', 'sensor', 'gateway']

/** Not scanned: reported by a passive listener and, for most of them, by a list that the factory maintains. */
export const industrialControllers: AssetGenerator = {
  name: 'plant',
  share: 50,
  generate(number, estate, random) {
    const line = number % LINES
    const rank = Math.floor(number / LINES)
    const role = random.pick(roles)
    const { vendor, model, ouis } = random.pick(industrialDevices)
    const mac = macIn(random.pick(ouis), number)
    const station = `line${line + 1}-${role}-${String(rank + 1).padStart(4, '0')}`
    const tags = [`line:${line + 1}`, 'criticality:high']
    const observe = observer(estate, random)
    const observed = observe('passive', mac, {
      ids: { mac, ip: addressIn('192.168', line * 10, rank), hostname: station },
      name: station,
      assetType: 'ot_device',
      vendor,
      facts: {
        protocols: random.pick([['PROFINET'], ['EtherNet/IP'], ['Modbus/TCP'], ['EtherCAT', 'OPC UA']]),
      },
    })
    if (random.percent(30)) return [observed]
    const serial = serialOf('P1', number)
    return [
      observed,
      observe('plantRegister', `serial:${serial}`, {
        ids: { serial, mac, hostname: station },
        vendor,
        model,
        tags,
      }),
    ]
  },
}
