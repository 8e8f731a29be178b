import type { Instruction, Proposed } from '../connector.ts'
import { azureAudience } from './azure-sign-in.ts'

/** What Reader would allow, without everything else. */
const READ_ACTIONS = [
  'Microsoft.Resources/subscriptions/read',
  'Microsoft.Compute/virtualMachines/read',
  'Microsoft.Compute/virtualMachineScaleSets/*/read',
  'Microsoft.Network/networkInterfaces/read',
  'Microsoft.Network/publicIPAddresses/read',
  'Microsoft.Sql/servers/databases/read',
  'Microsoft.Sql/managedInstances/read',
  'Microsoft.DBforPostgreSQL/flexibleServers/read',
  'Microsoft.DBforMySQL/flexibleServers/read',
  'Microsoft.DocumentDB/databaseAccounts/read',
  'Microsoft.Storage/storageAccounts/read',
  'Microsoft.ContainerService/managedClusters/read',
  'Microsoft.Web/sites/read',
]
const SCOPE = '/providers/Microsoft.Management/managementGroups/GROUP'

const ROLE = {
  Name: 'Rollcall reader',
  Description: 'Lists what Rollcall reads',
  Actions: READ_ACTIONS,
  AssignableScopes: [SCOPE],
}

/** What is done at Azure before a connection is made; `GROUP` is the management group whose subscriptions are read. */
export function azureInstructions(
  signIn: string,
  { connectionId, issuer, subject }: Proposed,
): Instruction[] {
  const credential = {
    name: `rollcall-${connectionId}`,
    issuer,
    subject,
    audiences: [azureAudience({})],
  }
  const withoutSecret: Instruction[] = [
    {
      title: 'Trust in this connection alone, as credential.json',
      text: JSON.stringify(credential, null, 2),
    },
    {
      title: 'Federated credential of the application',
      text: 'az ad app federated-credential create --id CLIENT_ID --parameters credential.json',
    },
  ]
  const ofRole: Instruction[] = [
    { title: 'Permissions, as role.json', text: JSON.stringify(ROLE, null, 2) },
    {
      title: 'Role of the identity',
      text: [
        'az role definition create --role-definition role.json',
        `az role assignment create --assignee CLIENT_ID --role 'Rollcall reader' --scope ${SCOPE}`,
      ].join('\n'),
    },
  ]
  if (signIn === 'managed_identity') {
    const text = 'az vm identity assign --resource-group RESOURCE_GROUP --name MACHINE'
    return [{ title: 'Identity of the machine; its principal is the CLIENT_ID below', text }, ...ofRole]
  }
  return [
    {
      title: 'Application; its appId is the CLIENT_ID below',
      text: ['az ad app create --display-name rollcall', 'az ad sp create --id CLIENT_ID'].join('\n'),
    },
    ...(signIn === 'federated'
      ? withoutSecret
      : [{ title: 'Client secret', text: 'az ad app credential reset --id CLIENT_ID --append' }]),
    ...ofRole,
  ]
}
