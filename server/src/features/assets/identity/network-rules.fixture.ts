import { card, day, type Case } from './machine-rules.fixture.ts'

/** Cases of the rules of docs/identity.md on networks and names. */
export const networkRules: Readonly<Record<string, readonly Case[]>> = {
  'network cards that go from hand to hand': [
    {
      case: 'a dock at two laptops in turn, each with an agent',
      a: [
        { agent_key: ['k'], serial: ['PF0ABC12'], mac: ['00:e0:4c:11:22:33'], hostname: ['lap-1'] },
        day(0, 1),
      ],
      b: [
        { agent_key: ['l'], serial: ['PF0XYZ99'], mac: ['00:e0:4c:11:22:33'], hostname: ['lap-2'] },
        day(2, 3),
      ],
      is: 'two',
    },
    {
      case: 'an adapter at two laptops that a scan sees, one name each',
      a: [{ mac: ['00:e0:4c:11:22:33'], hostname: ['lap-1'] }, day(0, 1)],
      b: [{ mac: ['00:e0:4c:11:22:33'], hostname: ['lap-2'] }, day(5, 6)],
      is: 'asked',
    },
    {
      case: 'the dock and the laptop’s own card are of one laptop',
      a: [{ mac: ['00:e0:4c:11:22:33'], hostname: ['lap-1'] }],
      b: [{ mac: ['3c:2a:f4:02:34:5f'], hostname: ['lap-1'] }],
      is: 'two',
      late: [
        [{ agent_key: ['k'], mac: ['00:e0:4c:11:22:33', '3c:2a:f4:02:34:5f'], hostname: ['lap-1'] }],
        'one',
      ],
    },
    {
      case: 'an adapter of a kind that all carry one address',
      a: [{ mac: ['00:e0:4c:53:44:58'], hostname: ['lap-1'] }],
      b: [{ mac: ['00:e0:4c:53:44:58'], hostname: ['lap-2'] }],
      is: 'two',
    },
  ],
  'MAC addresses that are of nobody': (
    [
      ['VRRP', '00:00:5e:00:01:0a'],
      ['VRRP for IPv6', '00:00:5e:00:02:0a'],
      ['HSRP', '00:00:0c:07:ac:01'],
      ['HSRP version 2', '00:00:0c:9f:f0:01'],
      ['GLBP', '00:07:b4:00:01:01'],
      ['a cluster of Windows', '02:bf:0a:01:00:05'],
      ['the inside of VirtualBox', '0a:00:27:00:00:00'],
      ['VMware’s adapters of the host', '00:50:56:c0:00:08'],
      ['a plug-in of Kubernetes', 'ee:ee:ee:ee:ee:ee'],
      ['Xen’s bridges', 'fe:ff:ff:ff:ff:ff'],
    ] as const
  ).map(([kind, mac]) => ({
    case: kind,
    a: [{ mac: [mac, '00:25:90:10:00:01'], hostname: ['r-1'] }],
    b: [{ mac: [mac, '00:25:90:10:00:02'], hostname: ['r-2'] }],
    is: 'two' as const,
  })),
  'a container’s card, which Docker makes of its address': [
    {
      case: 'at the same address on two hosts',
      a: [{ mac: ['02:42:ac:11:00:02'], ip: ['172.17.0.2'] }, day(0)],
      b: [{ mac: ['02:42:ac:11:00:02'], ip: ['172.17.0.2'] }, day(9)],
      is: 'two',
    },
  ],
  'phones, whose addresses are made up': [
    {
      case: 'seen again elsewhere with the same one',
      a: [{ mac: ['da:a1:19:00:00:01'], ip: ['10.1.0.1'] }],
      b: [{ mac: ['da:a1:19:00:00:01'], ip: ['10.1.0.2'] }, day(3)],
      is: 'asked',
    },
    {
      case: 'the next one under the same name',
      a: [{ mac: ['da:a1:19:00:00:01'], hostname: ['anna-phone'], ip: ['10.1.0.1'] }, day(0, 1)],
      b: [{ mac: ['da:a1:19:00:00:02'], hostname: ['anna-phone'], ip: ['10.1.0.2'] }, day(7, 8)],
      is: 'asked',
    },
    {
      case: 'two of one name at once',
      a: [{ mac: ['da:a1:19:00:00:01'], hostname: ['anna-phone'], ip: ['10.1.0.1'] }, day(0, 3)],
      b: [{ mac: ['da:a1:19:00:00:02'], hostname: ['anna-phone'], ip: ['10.1.0.2'] }, day(1, 4)],
      is: 'two',
    },
    {
      case: 'what everybody’s phone is called',
      a: [{ mac: ['da:a1:19:00:00:01'], hostname: ['iphone'], ip: ['10.1.0.1'] }, day(0, 1)],
      b: [{ mac: ['da:a1:19:00:00:02'], hostname: ['iphone'], ip: ['10.1.0.2'] }, day(7, 8)],
      is: 'two',
    },
  ],
  'addresses, which are lent': [
    {
      case: 'a lease that another card gets',
      a: [card(1), day(0, 1)],
      b: [{ mac: ['00:25:90:10:00:02'], ip: ['10.1.0.1'] }, day(3)],
      is: 'two',
    },
    {
      case: 'behind a router, where no card is seen: another name',
      a: [{ ip: ['10.1.0.1'], hostname: ['pc-1'] }, day(0, 1)],
      b: [{ ip: ['10.1.0.1'], hostname: ['pc-2'] }, day(3)],
      is: 'two',
    },
    {
      case: 'two machines behind one address that is translated',
      a: [{ agent_key: ['k'], hostname: ['pc-1'], ip: ['192.0.2.1'] }],
      b: [{ agent_key: ['l'], hostname: ['pc-2'], ip: ['192.0.2.1'] }],
      is: 'two',
    },
    {
      case: 'the same card at the same address, weeks later',
      a: [card(1), day(0)],
      b: [card(1), day(40)],
      is: 'one',
    },
    {
      case: 'the same card at another address',
      a: [card(1), day(0)],
      b: [{ mac: ['00:25:90:10:00:01'], ip: ['10.1.0.9'] }, day(40)],
      is: 'asked',
      late: [[{ mac: ['00:25:90:10:00:01'], ip: ['10.1.0.1', '10.1.0.9'] }, day(0, 40)], 'one'],
    },
    {
      case: 'the same address in another network',
      a: [card(1), { scope: 'site:a' }],
      b: [card(1), { scope: 'site:b' }],
      is: 'two',
    },
  ],
  'names, which people give': [
    {
      case: 'a full one alone',
      a: [{ hostname: ['web.corp.example'] }],
      b: [{ hostname: ['web.corp.example'] }],
      is: 'asked',
    },
    { case: 'a bare one alone', a: [{ hostname: ['web'] }], b: [{ hostname: ['web'] }], is: 'two' },
    {
      case: 'one that everybody has',
      a: [{ hostname: ['localhost'], ip: ['10.1.0.1'] }],
      b: [{ hostname: ['localhost'], ip: ['10.1.0.2'] }],
      is: 'two',
    },
    {
      case: 'with the machine id',
      a: [{ hostname: ['web'], machine_id: ['a1'] }],
      b: [{ hostname: ['web'], machine_id: ['a1'] }],
      is: 'one',
    },
  ],
}
