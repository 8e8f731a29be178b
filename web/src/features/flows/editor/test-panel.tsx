import { Button } from '@mantine/core'
import { useState } from 'react'
import { TestFlowDraftDocument, type TestFlowDraftData } from '#api/generated/operations.ts'
import { useChange } from '#api/query-client.ts'
import { AssetFinder, type FoundAsset } from '#features/assets/asset-finder.tsx'
import { Badge } from '#ui/badge.tsx'
import { JsonBlock } from '#ui/json-block.tsx'
import { Panel } from '#ui/panel.tsx'
import type { Definition } from '../flow-sentence.ts'
import styles from './flow-editor.module.css'

interface TestPanelProps {
  readonly flowId: string
  readonly definition: Definition
}

/** What the definition would do for an asset; everything is undone and nothing is sent. */
export function TestPanel({ flowId, definition }: TestPanelProps) {
  const [asset, setAsset] = useState<FoundAsset>()
  const [result, setResult] = useState<TestFlowDraftData['testFlow']>()
  const test = useChange(TestFlowDraftDocument, { onDone: ({ testFlow }) => setResult(testFlow) })
  return (
    <Panel title="Test run">
      <div className={styles['column']}>
        <p className="quiet">Nothing is changed or sent. Without an asset it is about none.</p>
        {asset ? (
          <div className={styles['buttons']}>
            <span>
              About <strong>{asset.name}</strong>
            </span>
            <Button size="compact-sm" variant="default" onClick={() => setAsset(undefined)}>
              Another
            </Button>
          </div>
        ) : (
          <AssetFinder label="Asset to test with" except="" onChoose={setAsset} />
        )}
        <div className={styles['buttons']}>
          <Button
            variant="default"
            loading={test.isPending}
            onClick={() => test.mutate({ id: flowId, definition, assetId: asset?.id ?? null })}
          >
            Test
          </Button>
        </div>
        {result && <Result result={result} />}
      </div>
    </Panel>
  )
}

function Result({ result }: { readonly result: TestFlowDraftData['testFlow'] }) {
  return (
    <div role="status">
      <p>{result.matches ? 'It would run.' : 'Its condition would not let it run.'}</p>
      <ol className={styles['steps']}>
        {result.steps.map((step) => (
          <li key={`${step.path} ${step.item}`} className={styles['card']}>
            <span>
              <code>{step.path}</code> {step.action}{' '}
              {step.fault === null ? (
                <Badge tone="good" sign="✓">
                  works
                </Badge>
              ) : (
                <Badge tone="bad" sign="×">
                  fails
                </Badge>
              )}
            </span>
            {step.fault !== null && <p className={styles['fault']}>{step.fault}</p>}
            <JsonBlock
              label={`What ${step.path} was given and gave`}
              value={{ input: step.input, output: step.output }}
            />
          </li>
        ))}
      </ol>
    </div>
  )
}
