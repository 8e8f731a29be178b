import { list, mutation, open, query, type Operation } from './operation.ts'

export const noticeOperations: Readonly<Record<string, Operation>> = {
  noticeChannels: list('notices:read', '{ id name kind destination active lastError }'),
  noticeDeliveries: list('notices:read', '{ total items { id subject recipient status } }'),
  createNoticeChannel: mutation(
    'notices:write',
    () => '(name: "c", kind: mail, address: "team@new.example") { channel { id name destination } secret }',
  ),
  updateNoticeChannel: mutation(
    'notices:write',
    (id) => `(id: "${id('noticeChannel')}", name: "d") { id name }`,
  ),
  deleteNoticeChannel: mutation('notices:write', (id) => `(id: "${id('noticeChannel')}")`),
  testNoticeChannel: mutation('notices:write', (id) => `(id: "${id('noticeChannel')}") { success error }`),

  noticeRules: list('notices:read', '{ id name eventTypes itemKinds condition digest active }'),
  noticeSubjects: query('notices:read', () => '{ name title isEvent }'),
  noticePreferences: query('notices:read', () => '{ zone quietFrom quietUntil digestHour hasSummary }'),
  openItems: open('{ kind title total items { key subject link } }'),
  createNoticeRule: mutation('notices:read', () => '(name: "r", itemKinds: ["duplicate"]) { id name }'),
  updateNoticeRule: mutation('notices:read', (id) => `(id: "${id('noticeRule')}", name: "s") { id name }`),
  deleteNoticeRule: mutation('notices:read', (id) => `(id: "${id('noticeRule')}")`),
  setNoticePreferences: mutation('notices:read', () => '(zone: "Europe/Berlin") { zone }'),
}
