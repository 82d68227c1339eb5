// Checks names in TypeScript and Python and the words of the glossary: refuses the names below, and a word that is defined twice.
// An optional argument is another source tree to check.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { root as own } from './lib/setup.mjs'

const root = path.resolve(process.argv[2] ?? own)

/** Words that no name may contain, and what to write instead. `alone`: refused only if it is the whole name. */
const BANNED = new Map([
  ['told', { instead: 'notified, reported, lastSentAt or what it is' }],
  ['said', { instead: 'text, message, output or what it is' }],
  ['wish', { instead: 'requestedAction or request' }],
  ['keeper', { instead: 'what it does' }],
  ['hands', { instead: 'deps' }],
  ['twin', { instead: 'duplicate, counterpart or trainingTemplate' }],
  ['held', { instead: 'paused, open, locked or loaded; held-out data are heldOut' }],
  ['heads', { instead: 'summaries, headers or prefixes; attention heads are heads' }],
  ['home', { instead: "dataDir for the data directory, userHome for the user's folder", alone: true }],
  ['room', { instead: 'diskSpace for a disk, width or available for pixels' }],
  ['judge', { instead: 'healthWatch for a health check, acceptAnswer for an answer' }],
])

/** Exceptions, each with its reason. */
const KEPT = [
  { name: 'home', in: /^server\/src\/(cli\/run|headless)\.ts$/, why: 'the option --home' },
  { name: 'home', in: /^renderer\/src\/(api|app|features\/home)\/|^server\/src\/stages\/traces\//, why: 'the page Home' },
  { name: 'heads', in: /^server\/src\/stages\/gym\/|^bench\/(gpu\.ts|training\.py)$/, why: 'attention heads of a model' },
  { name: 'keyValueHeads', in: /./, why: 'attention heads of a model' },
  { name: /^num_\w+_heads$/, in: /./, why: 'config.json of the Hugging Face libraries' },
  { name: /^(session|unverified)Heads$/, in: /^server\/src\/stages\/traces\//, why: 'applied migrations' },
  { name: 'wish', in: /^server\/src\/(stages\/gym\/store|system\/maintenance\/restored\.test)\.ts$/, why: 'a column' },
  { name: 'held', in: /^bench\/memory\.ts$/, why: 'the option --held' },
  { name: 'judgeChange', in: /^server\/src\/stages\/checks\/change\//, why: 'decides what the checks say about a change' },
  { name: /^(create)?Judge$/, in: /^server\/src\/(pipeline|stages\/judge\/index)\.ts$/, why: 'the stage of that name' },
  { name: 'judge', in: /^server\/src\/schema\.ts$/, why: 'the stage of that name' },
  { name: 'room', in: /^scripts\//, why: 'a folder with import rules' },
]

// Attributes of anything but self may come from a library, so they are skipped.
const PYTHON_TEXT = /'''(?:\\[\s\S]|[^\\])*?'''|"""(?:\\[\s\S]|[^\\])*?"""|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|#[^\n]*/g
const PYTHON_NAME = /(?<![\w.])(?:self\.)?([A-Za-z_]\w*)/g

const problems = []
const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 64e6 }).split('\n')
const sources = files.filter((file) => /\.(tsx?|mts|mjs|py)$/.test(file) && fs.existsSync(path.join(root, file)))
const anyBanned = new RegExp([...BANNED.keys()].join('|'), 'i')
for (const file of sources) {
  const text = fs.readFileSync(path.join(root, file), 'utf8')
  if (!anyBanned.test(text)) continue
  if (file.endsWith('.py')) checkPythonNames(file, text)
  else checkNames(file, text)
}
const glossary = path.join(root, 'docs', 'glossary.md')
if (fs.existsSync(glossary)) checkGlossary(fs.readFileSync(glossary, 'utf8'))
for (const problem of problems) console.error(problem)
console.log(`words: ${sources.length} files, ${problems.length} problems`)
process.exit(problems.length === 0 && sources.length > 0 ? 0 : 1)

function checkNames(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS)
  const visit = (node) => {
    if (node.name?.kind === ts.SyntaxKind.Identifier && node.kind !== ts.SyntaxKind.PropertyAccessExpression) {
      checkName(file, node.name.text, () => source.getLineAndCharacterOfPosition(node.name.end).line + 1)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
}

/** Reports each name once per file, at its first line. Strings, comments and the expressions inside f-strings are not checked. */
function checkPythonNames(file, text) {
  const code = text.replaceAll(PYTHON_TEXT, (part) => part.replaceAll(/[^\n]/g, ' '))
  const seen = new Set()
  for (const match of code.matchAll(PYTHON_NAME)) {
    const name = match[1]
    if (seen.has(name)) continue
    seen.add(name)
    checkName(file, name, () => code.slice(0, match.index).split('\n').length)
  }
}

function checkName(file, name, lineOf) {
  const word = bannedIn(name)
  if (word && !isKept(file, name))
    problems.push(`${file}:${lineOf()}: the name "${name}" contains "${word}". Use ${BANNED.get(word).instead}.`)
}

function bannedIn(name) {
  const words = name
    .replaceAll(/held_?out/gi, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
  return words.find((word) => BANNED.has(word) && (!BANNED.get(word).alone || name === word))
}

function isKept(file, name) {
  return KEPT.some((kept) => kept.in.test(file) && (typeof kept.name === 'string' ? kept.name === name : kept.name.test(name)))
}

/** A word may have a second row only if a parenthesis distinguishes the meanings. */
function checkGlossary(text) {
  const lineOf = new Map()
  for (const [index, line] of text.split('\n').entries()) {
    const [, cell, meaning] = /^\| (.+?) \| (.+) \|$/.exec(line) ?? []
    if (!cell || cell === 'word' || cell.startsWith('--')) continue
    const at = `docs/glossary.md:${index + 1}`
    const [, note = ''] = /( \(.*\))$/.exec(cell) ?? []
    for (const word of cell.slice(0, cell.length - note.length).split(', ')) {
      const first = lineOf.get(word + note)
      if (first)
        problems.push(`${at}: "${word + note}" is defined in line ${first} too. Merge the rows, or add what it is of in parentheses.`)
      lineOf.set(word + note, index + 1)
    }
    const used = `${cell} ${meaning}`
      .replaceAll(/held[- ]out/gi, '')
      .toLowerCase()
      .split(/\W+/)
    for (const word of new Set(used))
      if (BANNED.has(word) && word !== 'home' && word !== 'room')
        problems.push(`${at}: "${word}" is not a word of ours. Use ${BANNED.get(word).instead}.`)
  }
}
