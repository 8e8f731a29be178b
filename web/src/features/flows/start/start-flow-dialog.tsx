import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { FlowToStartDocument, StartFlowDocument } from '#api/generated/start.ts'
import { q, useChange } from '#api/query-client.ts'
import type { FoundAsset } from '#features/assets/asset-finder.tsx'
import { many } from '#lib/numbers.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import type { Definition } from '../flow-sentence.ts'
import { AssetChoice } from './asset-choice.tsx'
import { InputFields } from './input-fields.tsx'
import { inputValues, isAboutAsset } from './start-flow.ts'

/** Assets that were chosen elsewhere. */
export interface ChosenAssets {
  readonly n: number
  readonly assetIds?: readonly string[] | null | undefined
  readonly where?: string | null | undefined
}

interface StartFlowDialogProps {
  readonly flow: { readonly id: string; readonly name: string; readonly publishedVersion: number | null }
  /** Absent: they are chosen here. */
  readonly chosen?: ChosenAssets
  readonly onClose: () => void
}

/** Asks for the assets that a flow is to run for, and for the values that its trigger names. */
export function StartFlowDialog({ flow, chosen, onClose }: StartFlowDialogProps) {
  const { isReady, definition, isNeeded, fields, form, ids } = useStartForm(flow, chosen !== undefined)
  const start = useChange(StartFlowDocument, {
    isQuiet: true,
    done: ({ startFlow }) => `${many(startFlow ?? 0, 'run')} started`,
  })
  return (
    <FormDialog
      isOpen
      title={`Run ${flow.name}`}
      action={definition ? startLabel(chosen?.n ?? ids.length) : 'Run'}
      form={form}
      isReady={isReady}
      onSubmit={({ inputs }) =>
        start.mutateAsync({
          id: flow.id,
          assetIds: chosen ? [...(chosen.assetIds ?? [])] : ids,
          where: chosen?.where ?? null,
          inputs: inputValues(fields, inputs),
        })
      }
      onClose={onClose}
    >
      {chosen ? (
        <p>One run for each of {many(chosen.n, 'chosen asset')}.</p>
      ) : (
        <AssetChoice
          assets={form.values.assets}
          isNeeded={isNeeded}
          error={form.errors['assets']}
          onChange={(assets) => form.setFieldValue('assets', assets)}
        />
      )}
      <InputFields
        fields={fields}
        values={form.values.inputs}
        onChange={(name, value) => form.setFieldValue('inputs', { ...form.values.inputs, [name]: value })}
      />
    </FormDialog>
  )
}

function useStartForm(flow: StartFlowDialogProps['flow'], areChosen: boolean) {
  const { isReady, definition, isNeeded } = usePublished(flow)
  const form = useForm<{ assets: readonly FoundAsset[]; inputs: Record<string, string> }>({
    initialValues: { assets: [], inputs: {} },
    validate: {
      assets: (assets) =>
        isNeeded && !areChosen && assets.length === 0
          ? 'Choose at least one asset: the steps of this flow act on one.'
          : null,
    },
  })
  const ids = form.values.assets.map(({ id }) => id)
  return { isReady, definition, isNeeded, fields: definition?.trigger.fields ?? {}, form, ids }
}

const startLabel = (n: number): string => (n < 2 ? 'Run' : `Run for ${many(n, 'asset')}`)

/** The version that runs, and whether its steps act on an asset; ready when that is known. */
function usePublished({ id, publishedVersion }: StartFlowDialogProps['flow']) {
  const { data, isPending } = useQuery(q(FlowToStartDocument, { id }))
  const definition = data?.flowVersions.find(({ n }) => n === publishedVersion)?.definition as
    | Definition
    | undefined
  const needsAsset = new Set(data?.flowActions.filter((it) => it.needsAsset).map(({ name }) => name))
  const isNeeded = definition !== undefined && isAboutAsset(definition, needsAsset)
  return { isReady: !isPending, definition, isNeeded }
}
