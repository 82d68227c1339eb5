/**
 * How often the privacy detectors report source code without personal data, per megabyte and type. These are counted
 * separately: e-mail addresses, names of people and accounts in `TODO(name)`, because nearly all are authors; values that
 * pass a checksum or range check; and quoted literals after their label (`'user': 'barney'`), because they are correct.
 * Everything else counts as a false alarm, including test data, so the figure is an upper bound.
 *
 * `npm run bench -- false-alarms` reads packages in node_modules; `npm run bench -- false-alarms FOLDER…` reads these folders.
 * `--list` prints each finding that counts.
 */
import fs from 'node:fs'
import path from 'node:path'
import { scan } from '#server/detect/index.ts'
import { report } from './support/report.ts'

const WANTED_PER_MB = 2
const EXTENSIONS = new Set(
  '.js .mjs .cjs .ts .mts .cts .tsx .jsx .py .pyi .md .rst .json .yml .yaml .toml .sh .c .h .cc .cpp .go .rs .java .rb .php .css .html .sql .kt .swift .cs .tf .vue .svelte .proto'.split(
    ' ',
  ),
)
const MAX_BYTES = 500_000
/** Files with a longer average line come from a bundler and are skipped. */
const MAX_CHARS_A_LINE = 300

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
  given.length > 0
    ? given
    : packages.map((name) => path.join(import.meta.dirname, '..', 'node_modules', name)).filter((dir) => fs.existsSync(dir))

function* sources(root: string): Generator<string> {
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (!entry.isFile() || !EXTENSIONS.has(path.extname(entry.name)) || path.relative(root, file).split(path.sep).includes('node_modules'))
      continue
    if (/\.min\.|lock\.(?:json|ya?ml)$/.test(entry.name) || fs.statSync(file).size > MAX_BYTES) continue
    const text = fs.readFileSync(file, 'utf8')
    if (text.length / text.split('\n').length <= MAX_CHARS_A_LINE) yield text
  }
}

const lineAround = (text: string, start: number, end: number) =>
  `${text
    .slice(Math.max(0, start - 80), start)
    .split('\n')
    .at(-1)}⟪${text.slice(start, end)}⟫${text.slice(end, end + 40).split('\n')[0]}`

const counts = new Map<string, number>()
let chars = 0
const apart = { people: 0, proven: 0, literals: 0 }
for (const root of roots)
  for (const text of sources(root)) {
    chars += text.length
    for (const { type, detector, start, end, confidence, validated } of scan(text)) {
      if (confidence < 0.5) continue
      if (type === 'email' || type === 'person' || detector === 'marked') apart.people += 1
      else if (validated) apart.proven += 1
      else if (detector === 'label' && /["'`]/.test(text[start - 1] ?? '') && text[start - 1] === text[end]) apart.literals += 1
      else {
        counts.set(type, (counts.get(type) ?? 0) + 1)
        if (list) console.log(`${type} (${detector}): ${lineAround(text, start, end)}`)
      }
    }
  }
const perMb = (count: number) => (count * 1e6) / chars
const amount = (count: number) => `${count} (${perMb(count).toFixed(2)} a MB)`
const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
const rows = [...counts]
  .toSorted(([, a], [, b]) => b - a)
  .map(([type, count]) => ({ what: type, figure: amount(count), limit: '', met: null }))
report(
  'false-alarms',
  [
    ...rows,
    ...Object.entries({
      people: 'e-mails and names of people',
      proven: 'values with a check of their own',
      literals: 'literals beside their label',
    }).map(([key, what]) => ({ what: `apart: ${what}`, figure: amount(apart[key as keyof typeof apart]), limit: '', met: null })),
    {
      what: `false alarms in ${(chars / 1e6).toFixed(1)} MB`,
      figure: `${perMb(all).toFixed(2)} a MB`,
      limit: `≤ ${WANTED_PER_MB} a MB`,
      met: perMb(all) <= WANTED_PER_MB,
    },
  ],
  { roots: roots.map((root) => path.basename(root)), chars, counts: Object.fromEntries(counts), apart },
)
