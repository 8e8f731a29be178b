import { DOMAIN, ownerOf, personAt } from '../company.ts'
import { observer, type AssetGenerator } from './generator.ts'

/** Reported by the directory and by single sign-on, with the same object id. */
export const users: AssetGenerator = {
  name: 'users',
  share: 170,
  generate(number, estate, random) {
    const { name, login, department, objectId } = personAt(number, estate)
    const observe = observer(estate, random)
    const ids = { management_id: objectId }
    return [
      observe('directory', `user/${login}`, {
        ids,
        name,
        assetType: 'user',
        tags: [`department:${department}`],
        facts: { login: `HALDEN\\${login}`, department, mfa: random.percent(92) },
      }),
      observe('signIn', `user/${login}`, {
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

/** All users get the first service, then all get the second, and so on. */
export const saasAccounts: AssetGenerator = {
  name: 'saas-accounts',
  share: 40,
  generate(number, estate, random) {
    const userCount = estate.count('users')
    const { name, login } = ownerOf(number, estate)
    const cycle = Math.floor(number / userCount)
    const service = services[cycle % services.length]!
    const account = `${login}@${DOMAIN}`
    const nth = Math.floor(cycle / services.length)
    return [
      observer(estate, random)('signIn', `account/${service}/${account}${nth === 0 ? '' : `/${nth}`}`, {
        ids: {},
        name: `${service}: ${account}`,
        assetType: 'saas_account',
        vendor: service,
        facts: {
          person: name,
          role: random.pick(['member', 'member', 'member', 'admin']),
          licensed: random.percent(80),
        },
      }),
    ]
  },
}
