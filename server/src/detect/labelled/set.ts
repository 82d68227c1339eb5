import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { PiiType } from '#contracts/entities/privacy.ts'
import { valueOf, NEUTRAL, SLOT_TYPES } from './made-values.ts'
import type { Example } from './measure.ts'

/** An example with a handwritten context and generated values, so that the set contains no real data. */
export interface Labelled extends Example {
  /** Not used while the detectors were tuned. */
  heldOut: boolean
}

const VALUES_PER_NEGATIVE = 3
const SLOT = /\{([a-z_]+[0-9]*)(?::([a-z0-9]+))?\}/g

export function labelledSet(): Labelled[] {
  return [...read('positives.txt'), ...read('negatives.txt')]
}

function read(file: string): Labelled[] {
  const all: Labelled[] = []
  let type: PiiType | null = null
  const lines = fs.readFileSync(path.join(import.meta.dirname, '../../../../labelled/privacy/first', file), 'utf8').split('\n')
  let number = 0
  for (const line of lines) {
    if (line === '' || line.startsWith('#') || line === ' ') continue
    if (line.startsWith('== ')) {
      type = line.slice(3) as PiiType // the headings are types
      number = 0
      continue
    }
    number += 1
    const heldOut = [0, 3, 7].includes(number % 10)
    // contexts are filled several times, so that every type has 25 positives
    const times = type === null ? VALUES_PER_NEGATIVE : 3
    for (let time = 0; time < times; time += 1)
      all.push({ ...asWhole(type, fill(line, `${file}:${type ?? ''}:${number}:${time}`, type !== null)), heldOut })
  }
  return all
}

/** A URL must be found as a whole. */
function asWhole(type: PiiType | null, filled: Example): Example {
  const url = type === 'url' ? /\w+:\/\/\S+/.exec(filled.text) : null
  return url === null ? filled : { text: filled.text, spans: [{ type: 'url', start: url.index, end: url.index + url[0].length }] }
}

function fill(line: string, seed: string, isPositive: boolean): Example {
  const template = line.replaceAll(/\\([nte\\])/g, (_, char: string) => ({ n: '\n', t: '\t', e: '\u001B', '\\': '\\' })[char]!)
  const spans: Labelled['spans'] = []
  let text = ''
  let at = 0
  let slot = 0
  const valuesByName = new Map<string, string>()
  for (const match of template.matchAll(SLOT)) {
    const [whole, name, form] = match as unknown as [string, string, string | undefined]
    const type = SLOT_TYPES[name] ?? (isPositive && (name === 'hex' || name === 'base64') ? 'secret' : undefined)
    if (type === undefined && !NEUTRAL.has(name)) continue
    text += template.slice(at, match.index)
    const hash = createHash('sha256').update(`${seed}:${slot}`).digest()
    slot += 1
    const value = name === 'username' ? (valuesByName.get(name) ?? valueOf(name, form, hash)) : valueOf(name, form, hash)
    valuesByName.set(name, value)
    if (type !== undefined) spans.push({ type, start: text.length, end: text.length + value.length })
    text += value
    at = match.index + whole.length
  }
  return { text: text + template.slice(at), spans }
}
