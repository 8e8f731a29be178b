import type { AskedFactRow } from '#api/generated/checks.ts'
import { Panel } from '#ui/panel.tsx'
import styles from './asked-facts-panel.module.css'

interface AskedFactsPanelProps {
  readonly facts: readonly AskedFactRow[]
  readonly unknown: number
}

/** What a check has to know of an asset, and what tells it: what to do where it is unknown. */
export function AskedFactsPanel({ facts, unknown }: AskedFactsPanelProps) {
  if (facts.length === 0) return null
  return (
    <Panel title="What it needs to know">
      {unknown > 0 && (
        <p>
          {unknown === 1 ? 'One asset is' : `${unknown} assets are`} unknown, which is no pass. The sources
          below tell what is missing.
        </p>
      )}
      <AskedFacts facts={facts} />
    </Panel>
  )
}

export const AskedFacts = ({ facts }: Pick<AskedFactsPanelProps, 'facts'>) => (
  <dl className={styles['facts']}>
    {facts.map(({ name, sentence, source }) => (
      <div key={name}>
        <dt>
          <code>{name}</code> {sentence}
        </dt>
        <dd>Told by: {source}</dd>
      </div>
    ))}
  </dl>
)
