import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import ts from 'typescript'
import { isSoaking } from './testing/soak.ts'
import { TimeLimitError, withTimeLimit } from './workers/time-limit.ts'

// For tests: measures how the cost of processing a text grows with its length, using texts that are expensive for a pattern.

const SHORT = 16_000
const LONG = 4 * SHORT
/** If the short text takes less time than this, growth is not checked; at worst a megabyte would take half a minute. */
const MEASURABLE_MS = 16
/** The long text is four times the short one: linear work grows four times, quadratic work sixteen times. */
const MAX_GROWTH = 9
/** Limit for one text, because exponential work would not end. */
const MAX_MS = 20_000

/** Processor time of this thread, which other work on the machine does not affect; the smaller of two measurements. */
async function costOf(work: (text: string) => unknown, text: string): Promise<number> {
  let least = Infinity
  for (let turn = 0; turn < 2 && least > 2; turn += 1) {
    const before = process.threadCpuUsage()
    await withTimeLimit(MAX_MS, () => work(text))
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

/** Describes the problem if the work on repetitions of `unit` grows faster than the text; otherwise null. */
export async function growthFault(work: (text: string) => unknown, unit: string): Promise<string | null> {
  const text = (length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
  try {
    return await faultOf(work, unit, text)
  } catch (error) {
    if (error instanceof TimeLimitError) return `${JSON.stringify(unit)}: not finished in ${MAX_MS} ms`
    throw error
  }
}

async function faultOf(work: (text: string) => unknown, unit: string, text: (length: number) => string): Promise<string | null> {
  const short = await costOf(work, text(SHORT))
  if (short < MEASURABLE_MS) return null
  const long = await costOf(work, text(LONG))
  return long / short < MAX_GROWTH ? null : `${JSON.stringify(unit)}: ${short} ms for ${SHORT} characters, ${long} ms for ${LONG}`
}

export interface Pattern {
  where: string
  source: string
  flags: string
}

/** Every regular expression literal in the sources of a folder, except tests. */
export function patternsIn(folder: string, isWanted: (file: string) => boolean = () => true): Pattern[] {
  const files = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll(path.sep, '/'))
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|(?:^|\/)testing[^/]*$|(?:^|\/)fixtures\//.test(name) && isWanted(name))
  return files.toSorted().flatMap((name) => {
    const file = ts.createSourceFile(name, fs.readFileSync(path.join(folder, name), 'utf8'), ts.ScriptTarget.ESNext)
    const found: Pattern[] = []
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/')
        const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
        found.push({ where: `${name}:${line}`, source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
      }
      ts.forEachChild(node, visit)
    }
    visit(file)
    return found
  })
}

const MEASURED = path.join(import.meta.dirname, 'testing-growth.measured.txt')
const keyOf = ({ source, flags }: Pattern): string => createHash('sha256').update(`${source}/${flags}`).digest('hex').slice(0, 12)

/** Those whose growth was never measured: the others are in a list by hash. `npm run soak` measures all. */
export function unmeasured(patterns: readonly Pattern[]): readonly Pattern[] {
  if (isSoaking()) return patterns
  const measured = new Set(fs.readFileSync(MEASURED, 'utf8').split('\n'))
  return patterns.filter((pattern) => !measured.has(keyOf(pattern)))
}

/** After a soak that found nothing: adds these patterns to the list. */
export function noteMeasured(patterns: readonly Pattern[]): void {
  if (!isSoaking()) return
  const measured = new Set([...fs.readFileSync(MEASURED, 'utf8').split('\n').filter(Boolean), ...patterns.map(keyOf)])
  fs.writeFileSync(MEASURED, `${[...measured].toSorted().join('\n')}\n`)
}

/** Short texts that match a pattern, to be repeated. */
export function unitsOf({ source, flags }: Pattern, runs: number): string[] {
  let samples: string[]
  try {
    const form = new RegExp(withoutAssertions(source), flags.includes('u') ? 'u' : '')
    samples = fc.sample(fc.stringMatching(form, { size: 'xsmall' }), { seed: 1, numRuns: runs })
  } catch {
    return [] // the generator does not support the pattern
  }
  return [...new Set(samples)].filter((sample) => sample !== '' && sample.length < 400)
}

/** Removes assertions, which the generator does not support, and replaces Unicode classes with a letter. */
function withoutAssertions(source: string): string {
  let form = ''
  for (let at = 0; at < source.length;) {
    const rest = source.slice(at)
    const escape = /^\\(?:[pP]\{[^}]*\}|.)/su.exec(rest)?.[0]
    const set = /^\[(?:\\.|[^\]\\])*\]/su.exec(rest)?.[0]
    const look = /^\(\?<?[=!]/u.test(rest) ? groupOf(rest) : undefined
    if (escape !== undefined) form += /^\\[bB]$/.test(escape) ? '' : /^\\[pP]\{/.test(escape) ? 'a' : escape
    else if (set !== undefined) form += set.replaceAll(/\\[pP]\{[^}]*\}/g, 'a')
    else if (look === undefined && !/^[$^]/.test(rest)) form += rest[0]
    at += (escape ?? set ?? look ?? 'x').length
  }
  return form
}

/** The group at the start of a pattern. */
function groupOf(source: string): string {
  let depth = 0
  for (const { 0: part, index } of source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[()]/gsu)) {
    if (part === '(') depth += 1
    if (part === ')') depth -= 1
    if (depth === 0) return source.slice(0, index + 1)
  }
  return source
}
