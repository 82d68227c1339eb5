/**
 * How often the detectors of the gate react to source code, per megabyte, by type. Counted is every finding but e-mail
 * addresses, names of people on a line that credits somebody, and accounts of authors (`TODO(name)`, `cc @name`). Test data
 * of a package that is meant as such (a phone number, a key) counts too, so that the figure is an upper bound.
 *
 * `npm run bench -- false-alarms` reads packages in node_modules; `npm run bench -- false-alarms FOLDER…` reads these.
 * `--list` prints each finding that counts.
 */
import fs from 'node:fs'
import path from 'node:path'
import { scan } from '#server/stages/privacy/detect/index.ts'
import { report } from './support/report.ts'

const WANTED_PER_MB = 2
const EXTENSIONS = new Set(
  '.js .mjs .cjs .ts .mts .cts .tsx .jsx .py .pyi .md .rst .json .yml .yaml .toml .sh .c .h .cc .cpp .go .rs .java .rb .php .css .html .sql .kt .swift .cs .tf .vue .svelte .proto'.split(
    ' ',
  ),
)
const MOST_BYTES = 500_000
/** Longer lines on average are made by a bundler. */
const MOST_CHARS_A_LINE = 300
const CREDIT = /author|copyright|\(c\)|©|contribut|maintain|credit|thank|\bby\b|license|written|reviewed|editor|founder|@param|commit\/|pull\//i

const packages = [
  'undici',
  'playwright',
  'knip',
  'vite',
  'node-gyp',
  'pino',
  'happy-dom',
  'tar',
  'es-toolkit',
  'app-builder-lib',
  'react-dom',
  'lodash',
  'yaml',
  'js-yaml',
  'vitest',
  'better-sqlite3',
]
const list = process.argv.includes('--list')
const given = process.argv.slice(2).filter((one) => !one.startsWith('-'))
const roots =
  given.length > 0 ? given : packages.map((name) => path.join(import.meta.dirname, '..', 'node_modules', name)).filter((dir) => fs.existsSync(dir))

function* sources(root: string): Generator<string> {
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (!entry.isFile() || !EXTENSIONS.has(path.extname(entry.name)) || path.relative(root, file).split(path.sep).includes('node_modules'))
      continue
    if (/\.min\.|lock\.(?:json|ya?ml)$/.test(entry.name) || fs.statSync(file).size > MOST_BYTES) continue
    const text = fs.readFileSync(file, 'utf8')
    if (text.length / text.split('\n').length <= MOST_CHARS_A_LINE) yield text
  }
}

const counts = new Map<string, number>()
let chars = 0
let left = 0
for (const root of roots)
  for (const text of sources(root)) {
    chars += text.length
    for (const { type, detector, start, end, confidence } of scan(text)) {
      if (confidence < 0.5) continue
      const from = text.lastIndexOf('\n', start - 1) + 1
      const newline = text.indexOf('\n', end)
      const line = text.slice(Math.max(from, start - 160), newline < 0 ? end + 160 : Math.min(newline, end + 160))
      const isCredit = type === 'email' || (type === 'person' && CREDIT.test(line)) || detector === 'marked'
      if (isCredit) {
        left += 1
        continue
      }
      counts.set(type, (counts.get(type) ?? 0) + 1)
      if (list) console.log(`${type} (${detector}): ${text.slice(start, end)} | ${line.trim()}`)
    }
  }
const perMb = (count: number) => (count * 1e6) / chars
const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
const rows = [...counts]
  .toSorted(([, a], [, b]) => b - a)
  .map(([type, count]) => ({ what: type, figure: `${count} (${perMb(count).toFixed(2)} a MB)`, limit: '', met: null }))
report(
  'false-alarms',
  [
    ...rows,
    { what: 'e-mails, names of authors', figure: `${left} (${perMb(left).toFixed(2)} a MB)`, limit: '', met: null },
    {
      what: `all but those, in ${(chars / 1e6).toFixed(1)} MB`,
      figure: `${perMb(all).toFixed(2)} a MB`,
      limit: `≤ ${WANTED_PER_MB} a MB`,
      met: perMb(all) <= WANTED_PER_MB,
    },
  ],
  { roots: roots.map((root) => path.basename(root)), chars, counts: Object.fromEntries(counts), left },
)
