import { httpUrl, text } from './config-values.ts'

const given = (name: string, help: string) => ({
  name,
  parse: text as (value: string) => string | undefined,
  fallback: undefined,
  otherwise: 'none',
  help,
})

/**
 * What the platforms of containers put into the environment of a process to tell it who it is. Nobody else sets them;
 * they count only where CLOUD_METADATA is true.
 */
export const workloadIdentitySettings = {
  awsRoleArn: given('AWS_ROLE_ARN', 'Set by EKS for a service account with a role: the role.'),
  awsWebIdentityTokenFile: given(
    'AWS_WEB_IDENTITY_TOKEN_FILE',
    'Set by EKS for a service account with a role: the file of its token.',
  ),
  awsContainerCredentialsPath: given(
    'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
    'Set by ECS for a task with a role: where its credentials are.',
  ),
  awsContainerCredentialsUrl: {
    ...given(
      'AWS_CONTAINER_CREDENTIALS_FULL_URI',
      'Set by EKS Pod Identity and by ECS Anywhere: where the credentials are.',
    ),
    parse: httpUrl,
  },
  awsContainerAuthorizationTokenFile: given(
    'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
    'Set by EKS Pod Identity: the file of the token for these credentials.',
  ),
  azureTenantId: given(
    'AZURE_TENANT_ID',
    'Set by AKS for a service account with an identity: its directory.',
  ),
  azureClientId: given('AZURE_CLIENT_ID', 'Set by AKS for a service account with an identity: the identity.'),
  azureFederatedTokenFile: given(
    'AZURE_FEDERATED_TOKEN_FILE',
    'Set by AKS for a service account with an identity: the file of its token.',
  ),
}
