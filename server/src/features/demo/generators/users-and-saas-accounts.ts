import { DOMAIN, ownerOf, personAt } from '../company.ts'
import { seenTogether, type Part } from './generator.ts'

/** Known to the directory and, by the same object id, to single sign-on. */
export const users: Part = {
  name: 'users',
  share: 170,
  see(number, estate, draw) {
    const { name, login, department, objectId } = personAt(number, estate)
    const seen = seenTogether(estate, draw)
    const ids = { management_id: objectId }
    return [
      seen('directory', `user/${login}`, {
        ids,
        name,
        assetType: 'user',
        tags: [`department:${department}`],
        facts: { login: `HALDEN\\${login}`, department, mfa: draw.percent(92) },
      }),
      seen('signIn', `user/${login}`, {
        ids,
        name,
        assetType: 'user',
        facts: { email: `${login}@${DOMAIN}` },
      }),
    ]
  },
}

const services = [
  'Salesforce',
  'Slack',
  'GitHub',
  'Atlassian',
  'Zoom',
  'DocuSign',
  'Figma',
  'Miro',
  'Notion',
  'ServiceNow',
]

/** Every person gets the first service before anyone gets the second. */
export const saasAccounts: Part = {
  name: 'saas-accounts',
  share: 40,
  see(number, estate, draw) {
    const people = estate.count('users')
    const { name, login } = ownerOf(number, estate)
    const round = Math.floor(number / people)
    const service = services[round % services.length]!
    const account = `${login}@${DOMAIN}`
    const nth = Math.floor(round / services.length)
    return [
      seenTogether(estate, draw)('signIn', `account/${service}/${account}${nth === 0 ? '' : `/${nth}`}`, {
        ids: {},
        name: `${service}: ${account}`,
        assetType: 'saas_account',
        vendor: service,
        facts: {
          person: name,
          role: draw.pick(['member', 'member', 'member', 'admin']),
          licensed: draw.percent(80),
        },
      }),
    ]
  },
}
