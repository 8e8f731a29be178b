import type { Asset } from '#features/assets/asset.ts'
import { getAsset, listAssets } from '#features/assets/assets.ts'
import type { Observation, OsRelease, SoftwareReport } from '#features/assets/observation.ts'
import { systemsOfAssets } from '#features/software/software.ts'
import type { Source } from '#features/sources/source.ts'
import { assetsOfKeys } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { shortened } from '#platform/validation/shortened.ts'
import type { Subject } from '../documents/document.ts'

/** Of which thing a document is, where it does not say so itself or a person knows better. */
export interface DocumentTerms {
  readonly assetId?: string | undefined
  /** Its host name or name; a thing that is not known yet is made. */
  readonly host?: string | undefined
  /** The system of the packages, such as `debian:12`; taken from what is known of the asset unless given. */
  readonly os?: string | undefined
}

const NAMESAKES_MAX = 50
const NAME_LENGTH_MAX = 255

/** What was read of a document, whichever its format. */
export interface ReadDocument {
  readonly subject: Subject | undefined
  readonly software: SoftwareReport
}

/** The one observation that a document makes. */
export async function observationOf(
  ctx: Ctx,
  source: Source,
  { subject, software }: ReadDocument,
  terms: DocumentTerms & { readonly seenAt: Date },
): Promise<Observation> {
  const whose = await whoseIs(ctx, source, { subject, terms })
  const release = software.release ?? (await releaseFor(ctx, whose.assetId, terms.os))
  return {
    identifiers: [],
    ...whose,
    seenAt: terms.seenAt,
    software: { ...software, ...(release && { release }) },
  }
}

type Whose = Pick<Observation, 'sourceKey' | 'assetId' | 'name' | 'assetType'> & Partial<Observation>

interface Placed {
  readonly subject: Subject | undefined
  readonly terms: DocumentTerms
}

async function whoseIs(ctx: Ctx, source: Source, { subject, terms }: Placed): Promise<Whose> {
  const { host } = terms
  const about = subject === undefined ? '' : ` ${shortened(subject.name, NAME_LENGTH_MAX)}`
  const assetId = terms.assetId ?? (host === undefined ? undefined : await assetNamed(ctx, host))
  if (assetId !== undefined) {
    const asset = await getAsset(ctx, assetId)
    return { sourceKey: await keyOfAsset(ctx, source, { asset, host, about }), assetId: asset.id }
  }
  if (host !== undefined) {
    if (host === '' || host.length > NAME_LENGTH_MAX) throw invalid('host', 'is no name')
    const sourceKey = keyOfHost(host, about)
    return { sourceKey, name: host, identifiers: [{ type: 'hostname', value: host }] }
  }
  if (subject === undefined)
    throw invalid('asset', 'is needed: the file does not say of what it is (or a host)')
  return {
    sourceKey: `subject${about}`,
    name: shortened(subject.name, NAME_LENGTH_MAX),
    ...(!subject.isMachine && { assetType: 'software' as const }),
  }
}

const keyOfHost = (host: string, about: string): string => `host ${host.toLowerCase()}${about}`

interface AboutAsset {
  readonly asset: Asset
  readonly host: string | undefined
  readonly about: string
}

/** That of an earlier document about the same, in whichever way it was told whose it is: the new one takes its place. */
async function keyOfAsset(
  ctx: Ctx,
  source: Source,
  { asset: { id, hostname, name }, host, about }: AboutAsset,
): Promise<string> {
  const ofAsset = `asset ${id}${about}`
  const hosts = [host, hostname, hostname.split('.')[0], name].flatMap((it) => it || [])
  const keys = [ofAsset, ...hosts.map((it) => keyOfHost(it, about)), `subject${about}`]
  const assetIds = await assetsOfKeys(ctx, source, [...new Set(keys)])
  return keys.find((key) => assetIds.get(key) === id) ?? ofAsset
}

/** Undefined where there is none; several of one name cannot be told apart. */
async function assetNamed(ctx: Ctx, host: string): Promise<string | undefined> {
  const { items } = await listAssets(ctx, { limit: NAMESAKES_MAX, offset: 0 }, { search: host })
  const wanted = host.toLowerCase()
  const found = items.filter(({ hostname, name }) =>
    [hostname, hostname.split('.')[0] ?? '', name].some((it) => it.toLowerCase() === wanted),
  )
  if (found.length > 1) {
    throw invalid(
      'host',
      `is the name of several assets: ${found.map(({ id }) => id).join(', ')}; give --asset`,
    )
  }
  return found[0]?.id
}

async function releaseFor(
  ctx: Ctx,
  assetId: string | undefined,
  os: string | undefined,
): Promise<OsRelease | undefined> {
  if (os !== undefined) {
    const [, id, versionId] = /^([a-z][a-z0-9_-]*):([\w.]+)$/i.exec(os) ?? []
    if (id === undefined || versionId === undefined) throw invalid('os', 'must be like debian:12')
    return { id: id.toLowerCase(), versionId }
  }
  if (assetId === undefined) return undefined
  const [known] = await systemsOfAssets(ctx, [assetId])
  if (!known) return undefined
  const { id, versionId, codename = '', prettyName = '', kernel = '' } = known
  return { id, versionId, codename, prettyName, kernel }
}
