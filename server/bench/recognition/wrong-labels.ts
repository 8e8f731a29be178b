import type { DeviceType } from '#features/recognition/recognition.ts'

/** A label that says of a product what it is not, and what its maker sells it as. */
interface WrongLabel {
  readonly vendor: string
  readonly text: RegExp
  readonly type: DeviceType
}

/** Players, televisions and loudspeakers fit none of our types. */
const wrongLabels: readonly WrongLabel[] = [
  { vendor: 'Juniper', text: /\bSRX\b|\bSRX\d/, type: 'firewall' },
  {
    vendor: 'Apple',
    text: /AppleTV|AudioAccessory|AirTunes|model=(?:J42d|J105a|J305|B520|B238|B620|J33|K66|J255)/,
    type: 'unknown',
  },
  { vendor: 'Roku', text: /./, type: 'unknown' },
  { vendor: 'BrightSign', text: /./, type: 'unknown' },
  { vendor: 'Google', text: /Google TV|OU=Cast|Eureka/, type: 'unknown' },
  { vendor: 'APC', text: /IP KVM/, type: 'unknown' },
  { vendor: 'APC', text: /Environmental Monitoring Unit/, type: 'sensor' },
  // Secure Access and its successor are gateways of SSL VPN; Reliant UNIX ran on the RM servers; an X204-2 switches.
  { vendor: 'ADTRAN', text: /NetVanta 12\d\d/, type: 'switch' },
  { vendor: 'Juniper', text: /,(?:SA-\d|MAG-)/, type: 'firewall' },
  { vendor: 'Siemens', text: /ReliantUNIX/, type: 'server' },
  { vendor: 'Siemens', text: /SCALANCE X2/, type: 'switch' },
  { vendor: 'Epson', text: /Network Projector/, type: 'unknown' },
  { vendor: 'Cisco', text: /Catalyst L3 Switch Software/, type: 'switch' },
  // What runs ArubaOS is a controller of access points or one of them; Aruba's switches run others.
  { vendor: 'Aruba', text: /^ArubaOS \(MODEL/, type: 'access_point' },
]

interface Labelled {
  readonly text: string
  readonly vendor: string
  readonly type: DeviceType
  readonly isOther: boolean
}

/** The example, with the type that its maker's own documents give it where the label is wrong. */
export function corrected<T extends Labelled>(example: T): T {
  const wrong = wrongLabels.find(
    ({ vendor, text }) => example.vendor.startsWith(vendor) && text.test(example.text),
  )
  return wrong ? { ...example, type: wrong.type, isOther: wrong.type === 'unknown' } : example
}
