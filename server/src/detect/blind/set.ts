import fs from 'node:fs'
import path from 'node:path'
import type { PiiType } from '#contracts/entities/privacy.ts'
import type { Example } from '../labelled/measure.ts'

/**
 * Sets written by people who had not read the detection rules. Values are marked as ⟪type|value⟫. ¦ is removed; it stops
 * repository scanners from reporting values. ␛ is an escape, ␉ a tab, ␤ an empty line. Examples are separated by empty
 * lines; in files of negatives each line is an example.
 */

const MARK = /⟪([a-z_]+)\|([^⟫]*)⟫/g
const plain = (text: string) => text.replaceAll('¦', '').replaceAll('␛', '\u001B').replaceAll('␉', '\t').replaceAll('␤', '')
const read = (file: string) => fs.readFileSync(path.join(import.meta.dirname, '../../../../labelled/privacy/blind', file), 'utf8')

export function positives(file = 'positives.txt'): Example[] {
  return read(file)
    .split(/\n\n+/)
    .filter((part) => part.trim() !== '' && !part.startsWith('// '))
    .map(asExample)
}

function asExample(marked: string): Example {
  const spans: Example['spans'] = []
  let text = ''
  let at = 0
  for (const match of marked.matchAll(MARK)) {
    const [whole, type, value] = match as unknown as [string, PiiType, string]
    text += plain(marked.slice(at, match.index))
    const start = text.length
    text += plain(value)
    spans.push({ type, start, end: text.length })
    at = match.index + whole.length
  }
  return { text: text + plain(marked.slice(at)), spans }
}

export const negatives = (file = 'negatives.txt'): string[] => read(file).split('\n').map(plain).filter(Boolean)

/** A set with positives and negatives in two files, without dates, which are only found on request. */
export const inTwoFiles = (prefix: string): Example[] => [
  ...positives(`${prefix}positives.txt`).filter(({ spans }) => spans.every(({ type }) => type !== 'date')),
  ...negatives(`${prefix}negatives.txt`).map((text) => ({ text, spans: [] })),
]
/** A set whose files contain both positives and negatives. */
export const mixed = (letter: string): Example[] => ['config', 'prose', 'sessions'].flatMap((part) => positives(`${letter}-${part}.txt`))
