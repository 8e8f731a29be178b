import type { Cell } from '../dataset/dataset.ts'
import { columns, type Collecting, type Rows, type Section } from '../kinds/kind.ts'
import type { SimulatedChange } from './change.ts'
import { measuresOf } from './measures.ts'
import { simulate, type Simulation } from './simulate.ts'
import { chosenAssets } from './chosen-assets-store.ts'

/** What a report shows of a simulation: the measures before and after, then what they are made of. */
export function simulationSections(collecting: Collecting, change: SimulatedChange): readonly Section[] {
  let made: Promise<Simulation> | undefined
  // made once, when the rows of the first section are read
  const simulation = () => (made ??= simulated(collecting, change))
  return [
    {
      name: 'measures',
      title: 'Before and after',
      isMain: true,
      columns: columns({
        measure: ['text', 'Measure'],
        before: ['decimal', 'Before'],
        after: ['decimal', 'After'],
        change: ['decimal', 'Change'],
        unit: ['text', 'Unit'],
        note: ['text', 'Note'],
      }),
      chart: { kind: 'bars', label: 'measure', value: 'before', second: 'after' },
      rows: rowsOf(simulation, (it) => measuresOf(it).map((measure) => ({ ...measure }))),
    },
    assetSection(simulation),
    controlSection(simulation),
    checkSection(simulation),
    licenceSection(simulation),
    {
      name: 'software',
      title: 'Software that it is about',
      columns: columns({ name: ['text', 'Name'], assets: ['integer', 'Assets'] }),
      note: 'An entry is meant when each word that was given stands in its name.',
      empty: 'It is about no installed software.',
      rows: rowsOf(simulation, ({ software }) => software.map((it) => ({ ...it }))),
    },
  ]
}

type Simulating = () => Promise<Simulation>

async function simulated({ ctx, assetIds }: Collecting, change: SimulatedChange): Promise<Simulation> {
  return simulate(ctx, change, await chosenAssets(ctx, assetIds))
}

async function* rowsOf(
  simulation: Simulating,
  rows: (it: Simulation) => readonly Readonly<Record<string, Cell | undefined>>[],
): Rows {
  yield rows(await simulation())
}

const assetSection = (simulation: Simulating): Section => ({
  name: 'assets',
  title: 'Assets',
  columns: [
    { name: 'asset', title: 'Asset id', kind: 'text', isNotPrinted: true },
    ...columns({
      name: ['text', 'Name'],
      device_type: ['code', 'Device type'],
      effect: ['text', 'Effect'],
      risk_before: ['decimal', 'Risk before'],
      risk_after: ['decimal', 'Risk after'],
      open_before: ['integer', 'Open before'],
      open_after: ['integer', 'Open after'],
      cost: ['decimal', 'Cost'],
      currency: ['text', 'Currency'],
    }),
  ],
  sum: { amount: 'cost', currency: 'currency' },
  note: 'Those that would change, the highest risk first. Empty: not known.',
  empty: 'No asset would change.',
  rows: rowsOf(simulation, assetRows),
})

function assetRows({ effects, costs }: Simulation) {
  const costOf = new Map(costs?.byAsset.map((it) => [it.id, it]))
  return effects
    .filter(({ effect }) => effect !== 'unchanged')
    .toSorted((a, b) => (b.before.risk ?? -1) - (a.before.risk ?? -1) || (a.id < b.id ? -1 : 1))
    .map(({ id, name, deviceType, effect, before, after }) => ({
      asset: id,
      name,
      device_type: deviceType,
      effect,
      risk_before: before.risk,
      risk_after: after.risk,
      open_before: before.open,
      open_after: after.open,
      cost: costOf.get(id)?.amount,
      currency: costOf.get(id)?.currency,
    }))
}

const controlSection = (simulation: Simulating): Section => ({
  name: 'controls',
  title: 'Controls whose status would change',
  columns: columns({
    framework: ['text', 'Framework'],
    control: ['text', 'Control'],
    title: ['text', 'Title'],
    before: ['code', 'Before'],
    after: ['code', 'After'],
  }),
  empty: 'No control would change its status.',
  rows: rowsOf(simulation, ({ controls }) =>
    controls
      .filter(({ before, after }) => before !== after)
      .map(({ framework, controlId, title, before, after }) => ({
        framework,
        control: controlId,
        title,
        before,
        after,
      })),
  ),
})

const checkSection = (simulation: Simulating): Section => ({
  name: 'checks',
  title: 'Checks that would count otherwise',
  columns: columns({
    check: ['text', 'Check'],
    in_scope_before: ['integer', 'In scope before'],
    in_scope_after: ['integer', 'In scope after'],
    failed_before: ['integer', 'Failed before'],
    failed_after: ['integer', 'Failed after'],
    unknown_before: ['integer', 'Unknown before'],
    unknown_after: ['integer', 'Unknown after'],
  }),
  note: 'Of a new device nothing is known until a source has seen it: its checks are unknown.',
  empty: 'No check would count otherwise.',
  rows: rowsOf(simulation, ({ checks }) =>
    checks
      .map(({ title, before, after }) => ({
        check: title,
        in_scope_before: before.inScope,
        in_scope_after: after.inScope,
        failed_before: before.failed,
        failed_after: after.failed,
        unknown_before: before.unknown,
        unknown_after: after.unknown,
      }))
      .filter(
        (it) =>
          it.in_scope_before !== it.in_scope_after ||
          it.failed_before !== it.failed_after ||
          it.unknown_before !== it.unknown_after,
      ),
  ),
})

const licenceSection = (simulation: Simulating): Section => ({
  name: 'licences',
  title: 'Licences',
  columns: columns({
    product: ['text', 'Product'],
    metric: ['text', 'Metric'],
    entitled: ['integer', 'Entitled'],
    installed_before: ['integer', 'Installed before'],
    installed_after: ['integer', 'Installed after'],
    balance_before: ['integer', 'Balance before'],
    balance_after: ['integer', 'Balance after'],
    gap_before: ['decimal', 'Cost of gap before'],
    gap_after: ['decimal', 'Cost of gap after'],
    currency: ['text', 'Currency'],
  }),
  note: 'Of the whole organisation. Assigned uses stay as they are; a replacement takes over what was installed.',
  empty: 'No entitlement is recorded.',
  rows: rowsOf(simulation, ({ licences }) =>
    licences.map(({ before, after }) => ({
      product: before.product,
      metric: before.metric,
      entitled: before.entitled,
      installed_before: before.installed,
      installed_after: after.installed,
      balance_before: before.balance,
      balance_after: after.balance,
      gap_before: before.cost_of_gap,
      gap_after: after.cost_of_gap,
      currency: before.currency,
    })),
  ),
})
