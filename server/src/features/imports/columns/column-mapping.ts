import { hash } from 'node:crypto'
import type { Ctx } from '#platform/context.ts'
import { guessedHeader, type Header } from './header.ts'
import * as store from '../store.ts'

/** Names the header of a table: the same titles in the same order are the same. Hexadecimal. */
export const headerDigest = (titles: readonly string[]): string => hash('sha256', JSON.stringify(titles))

/** What the columns of a table are: as said, else as people said last time, else as far as their titles tell. */
export async function headerFor(
  ctx: Ctx,
  titles: readonly string[],
  said: Header | undefined,
): Promise<Header> {
  return said ?? (await rememberedHeader(ctx, titles)) ?? guessedHeader(titles)
}

export async function rememberedHeader(ctx: Ctx, titles: readonly string[]): Promise<Header | undefined> {
  return store.mapping(ctx, 'csv', headerDigest(titles))
}
