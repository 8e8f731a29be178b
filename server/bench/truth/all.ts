import { findingsTruth } from './findings-truth.ts'
import { identityTruth } from './identity-truth.ts'
import { recognitionTruth } from './recognition-truth.ts'
import { riskTruth } from './risk-truth.ts'
import type { TruthSection } from './rows.ts'

/** The parts of the table of truth, in its order. */
export const sections: readonly TruthSection[] = [recognitionTruth, identityTruth, findingsTruth, riskTruth]
