import { ActionIcon } from '@mantine/core'
import { Lock, Pencil } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Offered } from '#api/generated/asset.ts'
import type { AssetType, AttributeName, DeviceType } from '#api/generated/enums-and-inputs.ts'
import { lazyScreen } from '#api/lazy-screen.ts'
import { inSentence } from '#lib/sentence-case.ts'
import { Panel } from '#ui/panel.tsx'
import { Time } from '#ui/time.tsx'
import { typeName } from '../asset-types.ts'
import { attributeName } from './attribute-labels.ts'
import styles from './attributes-panel.module.css'
import { deviceTypeName } from '../recognition/device-types.ts'
import { candidateSource, candidateValues, type CandidateValue } from './candidate-values.ts'

const AttributeForm = lazyScreen(() => import('./attribute-form.tsx'), 'AttributeForm')

interface AttributesPanelProps {
  readonly assetId: string
  readonly attributes: readonly Offered[]
  readonly mayWrite: boolean
}

/** The candidate values of each attribute with their sources, the winning value first. */
export function AttributesPanel({ assetId, attributes, mayWrite }: AttributesPanelProps) {
  const [edited, setEdited] = useState<Offered>()
  return (
    <Panel title="What sources say" aside="The winning value first">
      <dl className={styles['list']}>
        {attributes.map((offered) => (
          <div key={offered.attribute} className={styles['attribute']}>
            <dt className={styles['name']}>{attributeName(offered.attribute)}</dt>
            <dd className={styles['said']}>
              <div className={styles['offers']}>
                {candidateValues(offered.offers).map((it, place) => (
                  <Value key={it.value} attribute={offered.attribute} offered={it} wins={place === 0} />
                ))}
              </div>
              {mayWrite && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label={`Correct ${inSentence(attributeName(offered.attribute))}`}
                  onClick={() => setEdited(offered)}
                >
                  <Pencil size={13} aria-hidden />
                </ActionIcon>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {edited && (
        <Suspense fallback={null}>
          <AttributeForm assetId={assetId} offered={edited} onClose={() => setEdited(undefined)} />
        </Suspense>
      )}
    </Panel>
  )
}

interface ValueProps {
  readonly attribute: AttributeName
  readonly offered: CandidateValue
  readonly wins: boolean
}

function Value({ attribute, offered: { value, offers }, wins }: ValueProps) {
  return (
    <div className={styles['offer']} data-wins={wins || undefined}>
      <span className={styles['value']}>
        {inWords(attribute, value)}
        {!wins && <span className={styles['unused']}>not used</span>}
      </span>
      <ul className={styles['sources']}>
        {offers.map((offer) => (
          <li key={`${offer.source} ${offer.seenAt}`}>
            {offer.isLocked && <Lock size={11} aria-label="locked" />} {candidateSource(offer)},{' '}
            <Time at={offer.seenAt} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function inWords(attribute: AttributeName, value: string): string {
  if (attribute === 'assetType') return typeName(value as AssetType)
  return attribute === 'deviceType' ? deviceTypeName(value as DeviceType) : value
}
