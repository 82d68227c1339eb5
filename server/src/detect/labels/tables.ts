import type { Field } from './field.ts'
import { labelOf, wordsOf, type Label } from './labels.ts'
import type { Report } from '../types.ts'
import { checkField } from './values.ts'
import { matchAt } from '../match-at.ts'

type OnField = (field: Field) => void

const HEADER =
  /^[ \t+>-]{0,4}(?:\|[ ]?)?["']?[\p{L}_][\p{L}\p{N}_ ./'’()#-]{0,40}["']?(?:[ ]{0,30}([,;|\t])[ ]{0,30}["']?[\p{L}_][\p{L}\p{N}_ ./'’()#-]{0,40}["']?){1,60}[ ]?\|?[ \t\r]*$/u
const INSERT = /into\s+[\w."`[\]]{1,100}\s*\(([^()]{3,2000})\)\s*values\s*/iy
const INSERTING = /\b(?:insert|replace)\s+(?:ignore\s+)?$/i
const COPY = /COPY [\w."]{1,100} \(([^()]{3,2000})\) FROM stdin;/iy

/** Reads tables with a header (CSV, TSV, Markdown, `psql` output). The column name is the label of its cells. */
export function readTables(text: string, report: Report): void {
  const onField: OnField = (field) => checkField(field, report, text)
  let lineStart = 0
  while (lineStart < text.length) {
    let lineEnd = text.indexOf('\n', lineStart)
    if (lineEnd < 0) lineEnd = text.length
    if (lineEnd - lineStart >= 8 && lineEnd - lineStart < 1000 && lineEnd < text.length && mayBeHeader(text, lineStart, lineEnd)) {
      const line = text.slice(lineStart, lineEnd)
      const separator = HEADER.exec(line)?.[1]
      if (separator !== undefined) {
        const labels = cellsOf(line, 0, separator).map((cell) => labelIn(cell.text))
        const labelCount = labels.filter((label) => label !== null).length
        if (labelCount >= 2 || (labelCount === 1 && /^\w+(?:[,;|\t]\w+)+\r?$/.test(line))) {
          lineStart = readRows(text, lineEnd + 1, labels, separator, onField)
          continue
        }
      }
    }
    lineStart = lineEnd + 1
  }
}

/** A check without regular expressions, because it runs on every line. */
function mayBeHeader(text: string, start: number, end: number): boolean {
  let separators = 0
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 44 || code === 59 || code === 124 || code === 9) separators += 1
    else if (
      code === 61 ||
      code === 123 ||
      code === 125 ||
      code === 60 ||
      code === 62 ||
      code === 58 ||
      code === 64 ||
      code === 36 ||
      code === 42
    )
      return false
  }
  return separators > 0
}

const labelIn = (cell: string): Label | null => {
  if (cell.trim() === 'authentication_string') return labelOf(['password'])
  const words = wordsOf(cell.replaceAll(/["'`[\]*]/g, '').replace(/\(.*\)/, ''))
  const label = words.length === 0 || words.length > 6 ? null : labelOf(words)
  return label
}

interface Cell {
  text: string
  start: number
  end: number
  quoted: boolean
}

function cellsOf(line: string, offset: number, separator: string): Cell[] {
  const cells: Cell[] = []
  let at = 0
  const lead = separator === '|' ? /^[ \t+>-]{0,4}\|/.exec(line) : null
  if (lead !== null) at = lead[0].length
  while (at <= line.length && cells.length < 64) {
    while (line[at] === ' ') at += 1
    const quote = line[at] === '"' || line[at] === "'" ? line[at]! : ''
    let end: number
    if (quote !== '') {
      at += 1
      end = at
      while (end < line.length && !(line[end] === quote && line[end + 1] !== quote)) end += line[end] === quote ? 2 : 1
      cells.push({ text: line.slice(at, end), start: offset + at, end: offset + Math.min(end, line.length), quoted: true })
      const next = line.indexOf(separator, end)
      if (next < 0) break
      at = next + 1
      continue
    }
    end = line.indexOf(separator, at)
    if (end < 0) end = line.length
    const cell = line.slice(at, end).trimEnd()
    cells.push({ text: cell, start: offset + at, end: offset + at + cell.length, quoted: false })
    at = end + 1
  }
  return cells
}

function readRows(text: string, from: number, labels: (Label | null)[], separator: string, onField: OnField): number {
  let lineStart = from
  for (let count = 0; lineStart < text.length && count < 100_000; count += 1) {
    let lineEnd = text.indexOf('\n', lineStart)
    if (lineEnd < 0) lineEnd = text.length
    const line = text.slice(lineStart, Math.min(lineEnd, lineStart + 20_000))
    if (/^[\s|+:=-]*$/.test(line) && line.trim() !== '') {
      lineStart = lineEnd + 1
      continue
    }
    const row = cellsOf(line, lineStart, separator)
    const width = separator === '|' && /\|\s*$/.test(line) ? row.length - 1 : row.length
    if (line.trim() === '' || Math.abs(width - labels.length) > 1 || width < 2) break
    for (const [index, label] of labels.entries()) if (label !== null && row[index] !== undefined) reportCell(row[index], label, onField)
    lineStart = lineEnd + 1
  }
  return Math.max(lineStart, from)
}

function reportCell(cell: Cell, label: Label, onField: OnField): void {
  if (cell.text.length > 1 && cell.text.length < 500) onField({ ...label, ...cell, quoted: true, style: 'cell', identifier: true })
}

/** `INSERT INTO x (a, b) VALUES (…), (…)`, with `into` at `start`. */
export function insertAt(text: string, start: number, report: Report): void {
  if (!INSERTING.test(text.slice(Math.max(0, start - 40), start))) return
  const match = matchAt(INSERT, text, start)
  if (match === null) return
  const labels = match[1]!.split(',').map(labelIn)
  if (labels.every((label) => label === null)) return
  let at = match.index + match[0].length
  const limit = Math.min(text.length, at + 2_000_000)
  while (at < limit && text[at] === '(') {
    const row = tupleAt(text, at + 1)
    if (row === null) break
    for (const [index, label] of labels.entries())
      if (label !== null && row.cells[index] !== undefined) reportCell(row.cells[index], label, (field) => checkField(field, report, text))
    at = row.end
    while (at < limit && /[\s,+]/.test(text[at]!)) at += 1
  }
}

/** `COPY x (a, b) FROM stdin;` in a dump, and the rows after it. */
export function copyAt(text: string, start: number, report: Report): void {
  if (!/(?:^|[\r\n])[+ -]?$/.test(text.slice(Math.max(0, start - 2), start))) return
  const match = matchAt(COPY, text, start)
  if (match === null) return
  readRows(text, COPY.lastIndex + 1, match[1]!.split(',').map(labelIn), '\t', (field) => checkField(field, report, text))
}

/** Maximum length of a value without quotes. */
const LONGEST_BARE = 400

/** The values in one `(…)` of an insert. */
function tupleAt(text: string, from: number): { cells: Cell[]; end: number } | null {
  const cells: Cell[] = []
  let at = from
  const limit = Math.min(text.length, from + 20_000)
  while (at < limit) {
    while (/\s/.test(text[at] ?? '')) at += 1
    if (/^[NE]'/.test(text.slice(at, at + 2))) at += 1
    const quote = text[at] === "'" || text[at] === '"' ? text[at]! : ''
    let end = at
    if (quote !== '') {
      at += 1
      end = at
      while (end < limit && !(text[end] === quote && text[end + 1] !== quote)) end += text[end] === quote ? 2 : 1
      cells.push({ text: text.slice(at, end).replaceAll(quote + quote, quote), start: at, end, quoted: true })
      end += 1
    } else {
      let depth = 0
      while (end < limit && (depth > 0 || (text[end] !== ',' && text[end] !== ')'))) {
        if (end - at > LONGEST_BARE) return null
        if (text[end] === '(') depth += 1
        else if (text[end] === ')') depth -= 1
        end += 1
      }
      cells.push({ text: text.slice(at, end).trim(), start: at, end: at + text.slice(at, end).trimEnd().length, quoted: false })
    }
    while (/\s/.test(text[end] ?? '')) end += 1
    if (text[end] === ')') return { cells: cells, end: end + 1 }
    if (text[end] !== ',') return null
    at = end + 1
  }
  return null
}
