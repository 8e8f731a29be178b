import { printSchema } from 'graphql'
import { buildSchema } from '#platform/graphql/schema.ts'
import { features } from '../app.ts'

/** server/schema.graphql. */
export function schemaPage(): string {
  return `${printSchema(buildSchema(features))}\n`
}
