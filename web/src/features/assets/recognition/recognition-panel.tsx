import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Offered } from '#api/generated/asset.ts'
import { AssetRecognitionDocument, type AssetRecognitionData } from '#api/generated/recognition.ts'
import { lazyScreen } from '#api/lazy-screen.ts'
import { q } from '#api/query-client.ts'
import { percent } from '#lib/numbers.ts'
import { inSentence } from '#lib/sentence-case.ts'
import { Panel } from '#ui/panel.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import styles from './recognition-panel.module.css'
import { DeviceIcon } from './device-icon.tsx'
import { deviceTypeName } from './device-types.ts'
import { candidateSource } from '../editing/candidate-values.ts'
import { madeName } from '../made-name.ts'
import { doubtText, signalName, suggestedScansText } from './recognition-labels.ts'

const AttributeForm = lazyScreen(() => import('../editing/attribute-form.tsx'), 'AttributeForm')

type Known = AssetRecognitionData['asset']
type Recognition = Known['recognition']

interface RecognitionPanelProps {
  readonly assetId: string
  readonly mayWrite: boolean
}

/** The recognised device type, vendor and model, the signals for it, and how to correct it. */
export function RecognitionPanel({ assetId, mayWrite }: RecognitionPanelProps) {
  const { data, error, refetch } = useQuery(q(AssetRecognitionDocument, { id: assetId }))
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Panel title="Recognition">
        <SkeletonBlock />
      </Panel>
    )
  return <LoadedRecognition asset={data.asset} mayWrite={mayWrite} />
}

function LoadedRecognition({ asset, mayWrite }: { readonly asset: Known; readonly mayWrite: boolean }) {
  const [isEdited, setEdited] = useState(false)
  const { recognition } = asset
  const offered = asset.attributes.find(({ attribute }) => attribute === 'deviceType')
  const correct = mayWrite && (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label="Correct the device type"
      onClick={() => setEdited(true)}
    >
      <Pencil size={13} aria-hidden />
    </ActionIcon>
  )
  return (
    <Panel title="Recognition" aside={correct}>
      <RecognisedDevice recognition={recognition} offered={offered} />
      {recognition.matches.length > 0 && <Matches matches={recognition.matches} />}
      {recognition.decidedBy === 'signals' && <Notes recognition={recognition} />}
      {recognition.signals.length > 0 && <Signals signals={recognition.signals} />}
      {isEdited && (
        <Suspense fallback={null}>
          <AttributeForm
            assetId={asset.id}
            offered={offered ?? { attribute: 'deviceType', value: recognition.deviceType, offers: [] }}
            onClose={() => setEdited(false)}
          />
        </Suspense>
      )}
    </Panel>
  )
}

interface RecognisedDeviceProps {
  readonly recognition: Recognition
  readonly offered: Offered | undefined
}

function RecognisedDevice({ recognition, offered }: RecognisedDeviceProps) {
  const { deviceType, vendor, model, confidence, decidedBy, recognised } = recognition
  const [said] = offered?.offers ?? []
  const made = madeName({ vendor, model })
  const [first, second] =
    deviceType === 'unknown' && made ? [made, 'type unknown'] : [deviceTypeName(deviceType), made]
  return (
    <>
      <p className={styles['what']}>
        <DeviceIcon type={deviceType} />
        <span>
          <span className={styles['type']}>{first}</span> <span className={styles['made']}>{second}</span>
        </span>
      </p>
      <p className={styles['sure']}>
        <ShareBar share={confidence} />
        <span className={styles['share']}>{percent(confidence)} sure</span>
      </p>
      {decidedBy === 'keeper' && <p className={styles['notes']}>Its source knows what it is.</p>}
      {decidedBy === 'person' && said && (
        <p className={styles['notes']}>
          The device type was {candidateSource(said)}
          {said.reason && `: ${said.reason}`}.
          {recognised && recognised.deviceType !== deviceType && (
            <>
              {' '}
              Its signals say {inSentence(deviceTypeName(recognised.deviceType))},{' '}
              {percent(recognised.confidence)}.
            </>
          )}
        </p>
      )}
    </>
  )
}

function Matches({ matches }: Pick<Recognition, 'matches'>) {
  return (
    <ul className={styles['list']}>
      {matches.map(({ source, deviceType, vendor, model, confidence }, place) => (
        <li key={`${source} ${place}`} className={styles['match']}>
          <span>{signalName(source)}</span>
          <ShareBar share={confidence} />
          <span className={styles['share']}>{percent(confidence)}</span>
          <span className={styles['says']}>
            {[deviceType === 'unknown' ? '' : deviceTypeName(deviceType), vendor, model]
              .filter(Boolean)
              .join(' · ') || 'says nothing'}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Notes({ recognition: { doubts, tellMore } }: { readonly recognition: Recognition }) {
  const text = [...doubts.map(doubtText), suggestedScansText(tellMore)].filter(Boolean).join(' ')
  return text && <p className={styles['notes']}>{text}</p>
}

function Signals({ signals }: Pick<Recognition, 'signals'>) {
  return (
    <details className={styles['signals']}>
      <summary>What was read</summary>
      <dl>
        {signals.map(({ name, value }, place) => (
          <SignalValue key={`${name} ${place}`} name={signalName(name)} value={value} />
        ))}
      </dl>
    </details>
  )
}

function SignalValue({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="mono">{value}</dd>
    </>
  )
}

function ShareBar({ share }: { readonly share: number }) {
  return (
    <span className={styles['track']} aria-hidden>
      <span className={styles['bar']} style={{ width: `${share * 100}%` }} />
    </span>
  )
}
