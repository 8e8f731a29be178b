/** The name of a list or a column in addresses: `cloud-resources` for `Cloud resources`. */
export const addressName = (label: string): string => label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
