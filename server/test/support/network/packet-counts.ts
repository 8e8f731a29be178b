import { setTimeout as sleep } from 'node:timers/promises'
import type { NetworkLab } from './network-lab.ts'

/** Sweeps a range and counts packets meanwhile by an interface's own counter, such as `eth0/statistics/rx_packets`. */
export async function busiestSecond(
  lab: NetworkLab,
  { machine, counter }: { readonly machine: string; readonly counter: string },
  range: string,
): Promise<{ busiest: number; total: number }> {
  const samples: { at: number; count: number }[] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const count = Number(await lab.run(machine, 'cat', `/sys/class/net/${counter}`))
      samples.push({ at: performance.now(), count })
      await sleep(20)
    }
  })()
  await lab.sweep(range).finally(() => (isOver = true))
  await watching
  const within = samples.map((from) => {
    const until = samples.findLast((it) => it.at <= from.at + 1000) ?? from
    return until.count - from.count
  })
  return { busiest: Math.max(...within), total: (samples.at(-1)?.count ?? 0) - (samples[0]?.count ?? 0) }
}

/** Resets that the scanner sent, from the kernel's counters. */
export async function resets(lab: NetworkLab): Promise<number> {
  const [names, values] = (await lab.run('scanner', 'cat', '/proc/net/snmp'))
    .split('\n')
    .filter((line) => line.startsWith('Tcp:'))
    .map((line) => line.split(' '))
  return Number(values?.[names?.indexOf('OutRsts') ?? -1])
}
