import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { softwareOrigins } from '#features/assets/assets.ts'
import type { InstalledSoftware, Observation } from '#features/assets/observation.ts'
import { ProbeFailure } from '../probes/probe.ts'
import type { RemoteMessage } from './remote-scan.ts'

const text = Type.String()
const optionalText = Type.Optional(Type.String())
const count = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
const amount = Type.Number({ minimum: 0, maximum: 1e9 })
/** What the database takes as text. */
const short = Type.String({ maxLength: 500, pattern: '^[^\\u0000]*$' })

const origin = Type.Enum([...softwareOrigins])

const software = Type.Object({
  origin,
  name: text,
  version: text,
  arch: optionalText,
  vendor: optionalText,
  source: Type.Optional(Type.Object({ name: text, version: optionalText })),
  purl: optionalText,
  cpe: optionalText,
  user: optionalText,
  installedAt: optionalText,
})

const release = Type.Object({
  id: text,
  versionId: text,
  codename: optionalText,
  prettyName: optionalText,
  kernel: optionalText,
})

/** The form of an observation as JSON has it: times are texts. What its fields hold is checked by the intake. */
const observation = Compile(
  Type.Object({
    sourceKey: text,
    seenAt: text,
    assetType: optionalText,
    name: optionalText,
    os: optionalText,
    vendor: optionalText,
    model: optionalText,
    identifiers: Type.Array(
      Type.Object({
        type: text,
        value: text,
        static: Type.Optional(Type.Literal(true)),
      }),
    ),
    tags: Type.Optional(Type.Array(text)),
    facts: Type.Optional(Type.Record(text, Type.Unknown())),
    software: Type.Optional(
      Type.Object({
        release: Type.Optional(release),
        complete: Type.Array(origin),
        items: Type.Array(software),
      }),
    ),
  }),
)

const progress = Type.Object({
  done: count,
  total: count,
  found: count,
  ratePerSecond: amount,
  remainingSeconds: amount,
  settled: Type.Optional(count),
  sampledOnly: Type.Optional(count),
  unreachable: Type.Optional(Type.Array(short, { maxItems: 10_000 })),
  stops: Type.Optional(
    Type.Array(Type.Object({ at: short, reason: short, isHarm: Type.Boolean() }), { maxItems: 1_000 }),
  ),
  slowed: Type.Optional(short),
})

const touch = Type.Object({
  address: short,
  beganAt: Type.String({ format: 'date-time' }),
  seconds: amount,
  packets: count,
  probes: count,
  logins: count,
  isEstimated: Type.Boolean(),
})

const hostKey = Type.Object({ address: short, port: count, algorithm: short, fingerprint: short })

const messages = {
  observations: Compile(
    Type.Object({ kind: text, observations: Type.Array(Type.Unknown(), { maxItems: 1_000 }) }),
  ),
  raw: Compile(Type.Object({ kind: text, raw: Type.Object({ address: short, part: short, text }) })),
  progress: Compile(Type.Object({ kind: text, progress })),
  touches: Compile(Type.Object({ kind: text, touches: Type.Array(touch, { maxItems: 10_000 }) })),
  credentials_for: Compile(
    Type.Object({ kind: text, address: short, kinds: Type.Array(text, { maxItems: 20 }) }),
  ),
  record_outcome: Compile(
    Type.Object({
      kind: text,
      credentialId: short,
      address: short,
      outcome: Type.Enum(['accepted', 'refused', 'unanswered']),
    }),
  ),
  know_host_key: Compile(Type.Object({ kind: text, host: hostKey, credentialId: short })),
  known_algorithms: Compile(Type.Object({ kind: text, address: short, port: count })),
  end: Compile(
    Type.Object({
      kind: text,
      failure: Type.Optional(Type.Object({ message: text, isFinal: Type.Boolean() })),
    }),
  ),
}

/** Throws a `ProbeFailure` for one that is in another form: the collector is of another version. */
export function readMessage(body: unknown): RemoteMessage {
  const kind = (body as { readonly kind?: unknown } | null)?.kind
  if (typeof kind !== 'string' || !Object.hasOwn(messages, kind)) throw notUnderstood('its kind')
  const form = messages[kind as keyof typeof messages]
  if (!form.Check(body)) throw notUnderstood(`a message of the kind ${kind}`)
  return body as RemoteMessage
}

/** Without what it may not say: of which asset it is, and of which network. */
export function observationIn(value: unknown): Observation {
  if (!observation.Check(value)) throw notUnderstood('an observation')
  const {
    seenAt,
    software: told,
    sourceKey,
    identifiers,
    assetType,
    name,
    os,
    vendor,
    model,
    tags,
    facts,
  } = value
  const list = told && { ...told, items: told.items.map(itemOf) }
  const given = { sourceKey, identifiers, assetType, name, os, vendor, model, tags, facts, software: list }
  const present = Object.entries(given).filter(([, it]) => it !== undefined)
  return { ...Object.fromEntries(present), seenAt: new Date(seenAt) } as Observation
}

function itemOf({ installedAt, ...item }: { readonly installedAt?: string }): InstalledSoftware {
  const at = installedAt === undefined ? Number.NaN : Date.parse(installedAt)
  return { ...item, ...(!Number.isNaN(at) && { installedAt: new Date(at) }) } as InstalledSoftware
}

const notUnderstood = (what: string): ProbeFailure =>
  new ProbeFailure(`${what} from the collector was not understood; run it in the version of the server`)
