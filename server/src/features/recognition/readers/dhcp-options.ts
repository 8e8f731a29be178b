import type { DeviceType } from '../device-types.ts'
import type { Evidence } from '../signals.ts'

/** What a DHCP client asks for, in its order: each operating system has a habit of its own. */
interface Habit {
  readonly begins: string
  readonly vendor: string
  readonly type: DeviceType
  readonly worth: number
}

/** The longest beginning decides. */
const habits: readonly Habit[] = [
  {
    begins: '1,3,6,15,31,33,43,44,46,47,119,121,249,252',
    vendor: 'Microsoft',
    type: 'workstation',
    worth: 0.6,
  },
  { begins: '1,15,3,6,44,46,47,31,33,121,249,43', vendor: 'Microsoft', type: 'workstation', worth: 0.6 },
  { begins: '1,15,3,6,44,46,47,31,33,249,43', vendor: 'Microsoft', type: 'workstation', worth: 0.6 },
  { begins: '1,121,3,6,15,119,252,95,44,46', vendor: 'Apple', type: 'workstation', worth: 0.7 },
  { begins: '1,121,3,6,15,108,114,119,252,95,44,46', vendor: 'Apple', type: 'workstation', worth: 0.7 },
  { begins: '1,121,3,6,15,119,252', vendor: 'Apple', type: 'unknown', worth: 0.5 },
  { begins: '1,121,3,6,15,108,114,119,252', vendor: 'Apple', type: 'unknown', worth: 0.5 },
  { begins: '1,3,6,15,26,28,51,58,59,43', vendor: '', type: 'unknown', worth: 0.6 },
  { begins: '1,33,3,6,15,26,28,51,58,59', vendor: '', type: 'unknown', worth: 0.6 },
  { begins: '6,3,1,15,66,67,13,44,12,81', vendor: 'HP', type: 'printer', worth: 0.7 },
  { begins: '6,3,1,15,66,67,13,44,119,12,81', vendor: 'HP', type: 'printer', worth: 0.7 },
  { begins: '1,66,6,3,15,150,35', vendor: 'Cisco', type: 'unknown', worth: 0.7 },
  { begins: '1,66,6,15,44,3,67,33,150,43', vendor: 'Cisco', type: 'router', worth: 0.5 },
]

export function readDhcpOptions(options: readonly number[]): Evidence | undefined {
  const asked = `${options.join(',')},`
  const habit = habits
    .filter(({ begins }) => asked.startsWith(`${begins},`))
    .toSorted((a, b) => b.begins.length - a.begins.length)[0]
  return (
    habit && {
      source: 'dhcp_options',
      confidence: habit.worth,
      deviceType: habit.type,
      vendor: habit.vendor,
      model: '',
    }
  )
}
