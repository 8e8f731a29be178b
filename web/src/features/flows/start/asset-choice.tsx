import { ActionIcon, Input } from '@mantine/core'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { AssetFinder, type FoundAsset } from '#features/assets/asset-finder.tsx'
import styles from './start-flow.module.css'

const ASSETS_MAX = 1_000

interface AssetChoiceProps {
  readonly assets: readonly FoundAsset[]
  readonly isNeeded: boolean
  readonly error: ReactNode
  readonly onChange: (assets: readonly FoundAsset[]) => void
}

/** Assets that are found one by one. */
export function AssetChoice({ assets, isNeeded, error, onChange }: AssetChoiceProps) {
  return (
    <Input.Wrapper
      label="Assets"
      description={
        isNeeded
          ? 'One run for each. Many at once: select them in the list of assets.'
          : 'One run for each; without any, one run about no asset.'
      }
      error={error}
    >
      <div className={styles['group']}>
        {assets.length > 0 && (
          <ul className={styles['chosen']} aria-label="Chosen assets">
            {assets.map(({ id, name }) => (
              <li key={id} className={styles['asset']}>
                {name}
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="xs"
                  aria-label={`Leave out ${name}`}
                  onClick={() => onChange(assets.filter((it) => it.id !== id))}
                >
                  <X size={12} aria-hidden />
                </ActionIcon>
              </li>
            ))}
          </ul>
        )}
        {assets.length < ASSETS_MAX && (
          <AssetFinder
            key={assets.length}
            label="Find assets"
            except=""
            onChoose={(found) =>
              onChange(assets.some(({ id }) => id === found.id) ? assets : [...assets, found])
            }
          />
        )}
      </div>
    </Input.Wrapper>
  )
}
