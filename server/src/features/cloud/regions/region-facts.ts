import { unreachable } from '#platform/errors.ts'
import type { CloudProvider } from '../cloud-resource.ts'
import { awsRegions } from './aws-regions.ts'
import { azureRegions } from './azure-regions.ts'
import { GOOGLE_CARBON_YEAR, googleRegions } from './google-regions.ts'

/** What providers publish about a region. */
export interface RegionFacts {
  /** A city, state or country, as the provider names it. */
  readonly place: string
  /** Absent where the provider publishes none. */
  readonly carbon?: RegionCarbon
}

export interface RegionCarbon {
  readonly year: number
  /** Between 0 and 1, on an hourly basis. */
  readonly carbonFreeShare: number
  /** Grams of CO2 equivalent for each kilowatt hour of the local grid. */
  readonly gridGramsPerKwh: number
}

/** Undefined for a region that is not in the lists, such as `global`, and for what is in no cloud. */
export function regionFacts(provider: CloudProvider, region: string): RegionFacts | undefined {
  switch (provider) {
    case 'AWS':
      return placeIn(awsRegions, region)
    case 'Azure':
      return placeIn(azureRegions, region)
    case 'GCP':
      return googleFacts(region)
    case 'Kubernetes':
      return undefined
    default:
      return unreachable(provider)
  }
}

function placeIn(places: Readonly<Record<string, string>>, region: string): RegionFacts | undefined {
  const place = Object.hasOwn(places, region) ? places[region] : undefined
  return place === undefined ? undefined : { place }
}

function googleFacts(region: string): RegionFacts | undefined {
  const found = Object.hasOwn(googleRegions, region) ? googleRegions[region] : undefined
  if (!found) return undefined
  const [place, carbonFreeShare, gridGramsPerKwh] = found
  return { place, carbon: { year: GOOGLE_CARBON_YEAR, carbonFreeShare, gridGramsPerKwh } }
}
