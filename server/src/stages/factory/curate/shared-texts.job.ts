import { readLines } from '#server/adapters/outside-rows/lines.ts'
import type { DataRow } from './candidate.ts'
import { createHeldOut, gramsOf, NGRAM_TOKENS, textsOfItem } from './held-out.ts'
import { tokensOf } from './text.ts'

export interface SharedTextsInput {
  /** Files of rows, one JSON value in each line. */
  files: string[]
  items: TextsSource
  /** Only rows that are nearly the same as an item count, as where a data set leaves them out. */
  near: boolean
}

/** The `reader` export of this module gives the texts in the worker, so that they never pass the main thread. */
export interface TextsSource {
  module: string
  input: unknown
}
export type TextsReader<Input = unknown> = (input: Input) => Iterable<{ id: string; text: string }>

/** The ids of the items that share an n-gram with a row. Shorter texts cannot be told from chance and are never found. */
export default async function findSharedTexts({ files, items: source, near }: SharedTextsInput): Promise<string[]> {
  const { reader } = (await import(source.module)) as { reader: TextsReader }
  if (near) return nearItems(files, reader(source.input))
  const ids: string[] = []
  const itemsByNgram = new Map<number, number[]>()
  for (const { id, text } of reader(source.input)) {
    const index = ids.push(id) - 1
    const tokens = tokensOf(text)
    if (tokens.length < NGRAM_TOKENS) continue
    for (const { key } of gramsOf(tokens, NGRAM_TOKENS)) {
      const known = itemsByNgram.get(key)
      if (!known) itemsByNgram.set(key, [index])
      else if (known.at(-1) !== index) known.push(index)
    }
  }
  const found = new Set<number>()
  for (const file of files)
    for (const { text: line } of readLines(file))
      for (const text of line.trim() === '' ? [] : textsOfItem(JSON.parse(line)))
        for (const { key, count } of gramsOf(tokensOf(text), NGRAM_TOKENS))
          if (count === NGRAM_TOKENS) for (const index of itemsByNgram.get(key) ?? []) found.add(index)
  return [...found].toSorted((a, b) => a - b).map((index) => ids[index]!)
}

/** The ids of the items that a row overlaps with, each row with the first one. */
function nearItems(files: readonly string[], items: Iterable<{ id: string; text: string }>): string[] {
  const heldOut = createHeldOut([...items].map(({ id, text }) => ({ name: id, texts: [text], similarOnly: true })))
  const found = new Set<string>()
  for (const file of files)
    for (const { text: line } of readLines(file)) {
      const overlap = line.trim() === '' ? null : heldOut.overlapOf(JSON.parse(line) as DataRow) // written by a build
      if (overlap) found.add(overlap.name)
    }
  return [...found]
}
