import { Type } from 'typebox'
import { route, type Route } from '#platform/http/route.ts'
import { deviceTypes } from './device-types.ts'
import {
  listDeviceTypes,
  recognizeDevice,
  recognizeFingerprint,
  recognizeIp,
  recognizeMac,
  TEXT_LENGTH_MAX,
  type Match,
  type Recognition,
} from './recognition.ts'

const DeviceTypeJson = Type.Union(deviceTypes.map((type) => Type.Literal(type)))

const MatchJson = Type.Object({
  device_type: DeviceTypeJson,
  vendor: Type.String({ description: 'may be empty' }),
  model: Type.String({ description: 'may be empty' }),
  confidence: Type.Number({ minimum: 0, maximum: 1, description: '0.8 and above is high confidence' }),
  source: Type.String({
    description: 'the signal this comes from, such as mac_oui; fallback: there was none',
  }),
})

const RecognitionJson = Type.Object({
  ...MatchJson.properties,
  matches: Type.Array(MatchJson, { description: 'what single signals say, the strongest first' }),
})

const FingerprintJson = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'What the device says of itself, by protocol: for example http (server, title), ssh, snmp (sysDescr, sysObjectID), mdns, ssdp, tls, dhcp, ports. Any nesting, any spelling of the keys.',
})

/** As `parseMac` reads it. */
const MAC_PATTERN =
  '^(?:[0-9A-Fa-f]{1,2}(?:(?::[0-9A-Fa-f]{1,2}){5}|(?:-[0-9A-Fa-f]{1,2}){5})|[0-9A-Fa-f]{12}|[0-9A-Fa-f]{4}\\.[0-9A-Fa-f]{4}\\.[0-9A-Fa-f]{4})$'
/** What `trim` leaves nothing of. */
const BLANK_PATTERN = '^[\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]*$'
const blank = { type: 'string', pattern: BLANK_PATTERN, maxLength: TEXT_LENGTH_MAX }
const mac = { type: 'string', pattern: MAC_PATTERN }
const ip = [
  { type: 'string', format: 'ipv4' },
  { type: 'string', format: 'ipv6' },
]

const MacJson = Type.String({ description: 'six octets, in any usual spelling', documentedAs: mac })
const IpJson = Type.String({ description: 'IPv4 or IPv6', documentedAs: { type: undefined, anyOf: ip } })
const HintJson = Type.Optional(Type.String({ maxLength: TEXT_LENGTH_MAX }))

const QuestionJson = Type.Object(
  {
    mac_address: Type.Optional(
      Type.String({
        description: 'six octets, in any usual spelling; blank: not given',
        documentedAs: { type: undefined, anyOf: [mac, blank] },
      }),
    ),
    ip_address: Type.Optional(
      Type.String({
        description: 'IPv4 or IPv6; blank: not given',
        documentedAs: { type: undefined, anyOf: [...ip, blank] },
      }),
    ),
    vendor: HintJson,
    model: HintJson,
    hostname: HintJson,
    fingerprints: Type.Optional(FingerprintJson),
  },
  {
    documentedAs: {
      anyOf: [
        { required: ['mac_address'], properties: { mac_address: mac } },
        { required: ['ip_address'], properties: { ip_address: { anyOf: ip } } },
        { required: ['fingerprints'], properties: { fingerprints: { minProperties: 1 } } },
      ],
    },
  },
)

export const rest: readonly Route[] = [
  route(
    'POST',
    '/recognition/recognize',
    {
      summary:
        'Recognizes a device by all signals sent; needs mac_address, ip_address or fingerprints, the rest refines.',
      body: QuestionJson,
      reply: RecognitionJson,
    },
    async (ctx, { body }) => ({
      json: toJson(
        recognizeDevice(ctx, { ...body, macAddress: body.mac_address, ipAddress: body.ip_address }),
      ),
    }),
  ),
  route(
    'POST',
    '/recognition/recognize/mac',
    {
      summary: 'Recognizes a device by its MAC address.',
      body: Type.Object({ mac_address: MacJson }),
      reply: RecognitionJson,
    },
    async (ctx, { body }) => ({ json: toJson(recognizeMac(ctx, body.mac_address)) }),
  ),
  route(
    'POST',
    '/recognition/recognize/ip',
    {
      summary: 'Recognizes a device by its IP address alone, which says next to nothing.',
      body: Type.Object({ ip_address: IpJson }),
      reply: RecognitionJson,
    },
    async (ctx, { body }) => ({ json: toJson(recognizeIp(ctx, body.ip_address)) }),
  ),
  route(
    'POST',
    '/recognition/recognize/fingerprint',
    {
      summary: 'Recognizes a device by what it says of itself; vendor, model and protocol are hints.',
      body: Type.Object({
        fingerprint: { ...FingerprintJson, documentedAs: { minProperties: 1 } } as typeof FingerprintJson,
      }),
      reply: RecognitionJson,
    },
    async (ctx, { body }) => ({ json: toJson(recognizeFingerprint(ctx, body.fingerprint)) }),
  ),
  route(
    'GET',
    '/recognition/device-types',
    {
      summary: 'Lists the device types that recognition tells apart.',
      reply: Type.Object({ device_types: Type.Array(DeviceTypeJson) }),
    },
    async (ctx) => ({ json: { device_types: listDeviceTypes(ctx) } }),
  ),
]

const toJson = (recognition: Recognition) => ({
  ...matchToJson(recognition),
  matches: recognition.matches.map(matchToJson),
})

const matchToJson = ({ deviceType, vendor, model, confidence, source }: Match) => ({
  device_type: deviceType,
  vendor,
  model,
  confidence,
  source,
})
