import { readFile } from 'node:fs/promises'
import { askOnce, type MetadataAnswer } from './metadata-call.ts'

/**
 * Who this process is to the cloud in which it runs, as the platform of its container tells it apart from the machine
 * beneath: IAM roles for service accounts and Pod Identity of EKS, task roles of ECS, workload identity of AKS.
 */
export interface WorkloadIdentity {
  /** A role of AWS that is assumed with a token. */
  readonly awsRole?: { readonly arn: string; readonly token: () => Promise<string> }
  /** Credentials of AWS that the platform hands out. Throws when there is no answer in time. */
  readonly awsCredentials?: () => Promise<MetadataAnswer>
  /** An application of Azure that signs in with a token. */
  readonly azureApplication?: {
    readonly directory: string
    readonly clientId: string
    readonly token: () => Promise<string>
  }
}

/** The variables of the environment by which platforms tell it. Tokens are read from their files each time: they are renewed there. */
export interface WorkloadVariables {
  readonly awsRoleArn: string | undefined
  readonly awsWebIdentityTokenFile: string | undefined
  readonly awsContainerCredentialsPath: string | undefined
  readonly awsContainerCredentialsUrl: string | undefined
  readonly awsContainerAuthorizationTokenFile: string | undefined
  readonly azureTenantId: string | undefined
  readonly azureClientId: string | undefined
  readonly azureFederatedTokenFile: string | undefined
}

/** Where the agent of ECS answers its tasks. */
const ECS_ADDRESS = 'http://169.254.170.2'

export function workloadIdentity(variables: WorkloadVariables): WorkloadIdentity {
  const { awsRoleArn, awsWebIdentityTokenFile, azureTenantId, azureClientId, azureFederatedTokenFile } =
    variables
  const credentialsUrl = variables.awsContainerCredentialsPath
    ? ECS_ADDRESS + variables.awsContainerCredentialsPath
    : variables.awsContainerCredentialsUrl
  return {
    ...(awsRoleArn &&
      awsWebIdentityTokenFile && { awsRole: { arn: awsRoleArn, token: tokenIn(awsWebIdentityTokenFile) } }),
    ...(credentialsUrl && {
      awsCredentials: () => credentialsAt(credentialsUrl, variables.awsContainerAuthorizationTokenFile),
    }),
    ...(azureTenantId &&
      azureClientId &&
      azureFederatedTokenFile && {
        azureApplication: {
          directory: azureTenantId,
          clientId: azureClientId,
          token: tokenIn(azureFederatedTokenFile),
        },
      }),
  }
}

const tokenIn = (file: string) => async (): Promise<string> => (await readFile(file, 'utf8')).trim()

async function credentialsAt(url: string, tokenFile: string | undefined): Promise<MetadataAnswer> {
  const authorization = tokenFile && (await tokenIn(tokenFile)())
  return askOnce(url, { method: 'GET', headers: { ...(authorization && { authorization }) } })
}
