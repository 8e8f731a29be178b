import { useQuery } from '@tanstack/react-query'
import { ShieldCheck, ShieldQuestionMark } from 'lucide-react'
import { AssetAssessmentsDocument } from '#api/generated/vulnerabilities.ts'
import { q } from '#api/query-client.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { unassessedText } from '../assessment.ts'

/** In place of the open findings of an asset: none is good news only where somebody looked. */
export function NoFindingsOfAsset({ assetId }: { readonly assetId: string }) {
  const { data, error, refetch } = useQuery(q(AssetAssessmentsDocument, { assetIds: [assetId] }))
  const state = data?.assetAssessments[0]?.state
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!state) return <SkeletonBlock />
  if (state === 'assessed')
    return (
      <EmptyState icon={ShieldCheck} title="No open finding">
        No advisory that is loaded speaks of the software that is listed here.
      </EmptyState>
    )
  return (
    <EmptyState icon={ShieldQuestionMark} title="Not assessed">
      {unassessedText[state]}
    </EmptyState>
  )
}
