// The size of the product against scripts/budget.json: lines by room, functions over 120 lines, `!`, `prettier-ignore`.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

const LONG = 120
/** A line that was not lowered for this long hides what is added next. */
const LOOSE = 0.12
/** What --write leaves above today's figure; a small room needs lines for one more file. */
const air = (key, count) => Math.max(Math.ceil(0.04 * count), key.startsWith('lines') ? 40 : 1)

const isTest = (file) => /\.test\.(tsx?|bats)$|\/testing\/|\/testing[-.][^/]*$|\/fixtures\/|\/tests\/|\.generated\./.test(file)
const isProduct = (file) => /^(contracts|server|renderer|electron|hooks)\//.test(file) && /\.(tsx?|mts|mjs|py|sh|css)$/.test(file)

/** `server/src/stages/gym/plan.ts` → `server/stages/gym`; a file in the server's root belongs to `server`. */
export function partOf(file) {
  const parts = path.dirname(file).split('/')
  if (parts[1] === 'src') parts.splice(1, 1)
  if (parts[0] !== 'server' && parts[0] !== 'renderer') return parts[0]
  return parts.slice(0, parts[1] === 'stages' || parts[1] === 'features' ? 3 : 2).join('/')
}

/** Today's figures: `{ 'lines: server/db': 612, …, 'functions over 120 lines': 9, … }`; `files` are relative to `root`. */
export function measured(root, files) {
  const figures = new Map()
  const add = (key, count) => figures.set(key, (figures.get(key) ?? 0) + count)
  for (const key of ['lines: all', 'functions over 120 lines', '!', 'prettier-ignore']) add(key, 0)
  for (const file of files) {
    if (!/\.(tsx?|mts|mjs|py|sh|css)$/.test(file)) continue
    const text = fs.readFileSync(path.join(root, file), 'utf8')
    if (!file.startsWith('scripts/lib/budget')) add('prettier-ignore', text.split('prettier-ignore').length - 1)
    if (!isProduct(file) || isTest(file)) continue
    const lines = text.split('\n').filter((line) => line.trim() !== '').length
    add(`lines: ${partOf(file)}`, lines)
    add('lines: all', lines)
    if (/\.(tsx?|mts)$/.test(file)) {
      const { long, asserted } = shapeOf(file, text)
      add('functions over 120 lines', long)
      add('!', asserted)
    }
  }
  return figures
}

function shapeOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS)
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line
  let long = 0
  let asserted = 0
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.NonNullExpression) asserted += 1
    if (ts.isFunctionLike(node) && node.body && lineOf(node.end) - lineOf(node.body.pos) >= LONG) long += 1
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { long, asserted }
}

const limitOf = ({ limit, raised = [] }) => limit + raised.reduce((sum, { by }) => sum + by, 0)

/** What is wrong with `table` for these figures; `before` are tables of the past, which had no smaller `limit`. */
export function budgetFaults(table, figures, before = []) {
  const faults = []
  const fault = (key, text) => faults.push(`budget: ${key}: ${text}`)
  for (const [key, count] of figures) {
    const line = table[key]
    if (!line) {
      fault(key, `${count}, and no line in scripts/budget.json: node scripts/house-rules.mjs --write`)
      continue
    }
    const limit = limitOf(line)
    if (count > limit)
      fault(
        key,
        `${count}, over its limit of ${limit}. Delete something, or add {"by": n, "why": "…"} to its "raised" in scripts/budget.json.`,
      )
    else if (limit - count > Math.max(120, LOOSE * limit))
      fault(key, `${count}, far below its limit of ${limit}: node scripts/house-rules.mjs --write`)
  }
  for (const [key, line] of Object.entries(table)) {
    if (!figures.has(key)) fault(key, 'is gone: node scripts/house-rules.mjs --write')
    for (const { by, why } of line.raised ?? []) {
      if (!(by > 0) || typeof why !== 'string' || why.trim().length < 12) fault(key, 'a raise has a number ("by") and a reason ("why")')
    }
    for (const past of before)
      if (past[key] && line.limit > past[key].limit)
        fault(key, `its "limit" rose from ${past[key].limit}; a raise goes into "raised", with its reason`)
  }
  return [...new Set(faults)]
}

/** The table with each line lowered to today's figure and a little air, new rooms added and vanished ones left out; nothing rises. */
export function lowered(table, figures) {
  const fresh = [...figures].map(([key, count]) => {
    const limit = count + air(key, count)
    const line = table[key]
    return [key, line && limitOf(line) <= limit ? line : { limit }]
  })
  return Object.fromEntries(fresh.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** One line each, so that two changes of it rarely meet. */
export const written = (table) =>
  `{\n${Object.entries(table)
    .map(([key, line]) => `  ${JSON.stringify(key)}: ${JSON.stringify(line, null, 1).replaceAll(/\n */g, ' ')}`)
    .join(',\n')}\n}\n`

/** The tables of the last two commits, as far as git has them. */
export function pastTables(root, file) {
  return ['HEAD', 'HEAD^'].flatMap((commit) => {
    try {
      return [
        JSON.parse(
          execFileSync('git', ['show', `${commit}:${file}`], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
        ),
      ]
    } catch {
      return [] // a shallow clone, or a commit without the table
    }
  })
}
