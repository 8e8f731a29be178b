import { expect, test } from 'vitest'
import { firstPackets } from './counted-socket.ts'
import { readSentSegments } from './sent-segments.ts'

const LINES = [
  'ESTAB      0 0      10.0.0.1:50000    10.0.0.3:22 cubic wscale:7,7 rto:204 data_segs_out:9 segs_out:40 segs_in:44',
  'ESTAB      0 0      10.0.0.1:50000    10.0.0.2:22 cubic wscale:7,7 rto:204 data_segs_out:9 segs_out:23 segs_in:25',
  'FIN-WAIT-2 0 0 [fd00::1]:50001 [fd00::2]:443 cubic bytes_acked:2 segs_out:7 segs_in:5',
  'ESTAB 0 0 [::ffff:10.0.0.1]:50002 [::ffff:10.0.0.2]:22 cubic segs_out:5 segs_in:5',
  'TIME-WAIT  0 0      10.0.0.1:50003    10.0.0.2:22 ',
].join('\n')

test.each([
  [50_000, '10.0.0.2', 22, { state: 'ESTAB', segments: 23 }],
  [50_001, 'fd00::2', 443, { state: 'FIN-WAIT-2', segments: 7 }],
  [50_002, '10.0.0.2', 22, { state: 'ESTAB', segments: 5 }],
  [50_003, '10.0.0.2', 22, undefined],
  [50_000, '10.0.0.4', 22, undefined],
])(
  'the kernel on the connection of port %i to %s port %i',
  (localPort, remoteAddress, remotePort, expected) => {
    expect(readSentSegments(LINES, { localPort, remoteAddress, remotePort })).toEqual(expected)
  },
)

test('first packets that nobody answers are repeated after one second, three and seven', () => {
  expect([0, 800, 1_001, 2_999, 3_001, 7_001].map(firstPackets)).toEqual([1, 1, 2, 2, 3, 4])
})
