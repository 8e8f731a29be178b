import { deflateSync } from 'node:zlib'
import type { ProtocolReply } from '#platform/protocols/protocol-routes.ts'

/** How many hours agents of this family are told to let pass before the next report. */
const EXPIRATION_HOURS = 24
const CONFIG_VALID_SECONDS = 600

/** Tasks that would need a server of their own; network discovery is done by scans. */
const DISABLED_TASKS = [
  'deploy',
  'wakeonlan',
  'collect',
  'esx',
  'remoteinventory',
  'netdiscovery',
  'netinventory',
]

const json = (value: unknown): ProtocolReply => ({
  mediaType: 'application/json',
  content: JSON.stringify(value),
})

/** To a GLPI agent that begins in XML: it goes on in JSON with a `contact`. An expiration here would start every task. */
export const goOnInJson = (): ProtocolReply => json({ status: 'pending' })

export const contactAnswer = (): ProtocolReply =>
  json({
    status: 'ok',
    expiration: EXPIRATION_HOURS,
    tasks: { inventory: { server: 'rollcall', version: '1' } },
    disabled: DISABLED_TASKS,
  })

export const inventoryTaken = (): ProtocolReply => json({ status: 'ok', expiration: EXPIRATION_HOURS })

/** What a GLPI agent asks for its other tasks: there is nothing to do. */
export const noConfiguration = (): ProtocolReply =>
  json({ configValidityPeriod: CONFIG_VALID_SECONDS, schedule: [] })

/** OCS and FusionInventory agents inflate every answer. */
const xml = (reply: string, mediaType: string): ProtocolReply => ({
  mediaType,
  content: deflateSync(`<?xml version="1.0" encoding="UTF-8"?>\n${reply}`),
})

export const FUSION_TYPE = 'application/x-compress-zlib'
export const OCS_TYPE = 'application/x-compress'

export const sendInventory = (mediaType: string): ProtocolReply =>
  xml(`<REPLY><PROLOG_FREQ>${EXPIRATION_HOURS}</PROLOG_FREQ><RESPONSE>SEND</RESPONSE></REPLY>`, mediaType)

/** FusionInventory takes an empty answer; OCS logs an error unless it is told that its account stays. */
export const xmlTaken = (mediaType: string): ProtocolReply =>
  xml(
    mediaType === OCS_TYPE ? '<REPLY><RESPONSE>NO_ACCOUNT_UPDATE</RESPONSE></REPLY>' : '<REPLY></REPLY>',
    mediaType,
  )
