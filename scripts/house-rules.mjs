// Checks rules that no linter has, for example that process.env is read in one file and that the lock file contains no URLs, and
// that no room outgrows its line in scripts/budget.json (`--write` lowers the table to today's figures).
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { budgetFaults, lowered, measured, pastTables, written } from './lib/budget.mjs'
import { root } from './lib/setup.mjs'

const RULES = [
  {
    name: 'process.env is read in config.ts only (launch.ts passes it on)',
    pattern: /process\.env\b/,
    in: /^(server|renderer|contracts)\//,
    except: /^server\/src\/(config|launch)\.ts$/,
  },
  {
    name: "Electron's main reads BASHGYM_HOME alone, and passes the rest on to the server",
    pattern: /(?<!\.\.\.)process\.env(?!\.BASHGYM_HOME|\['BASHGYM_HOME'\])\b/,
    in: /^electron\//,
  },
  { name: 'SQLite is opened in db/ only', pattern: /from 'better-sqlite3'/, in: /^server\//, except: /^server\/src\/db\// },
  ...[
    /: (?:(?:Readonly|Partial)<)*Record<string, .*> = \{/, // a table
    /(?:const|let) \w+: [^=]+ = \{\}/, // empty, so it will be filled by key
    /= \{\} as /,
    /for \((?:const|let) \w+ in /,
  ].map((pattern) => ({
    name: 'a plain object also has "constructor" and "__proto__": use lookup() of contracts/src/lookup.ts, or a Map',
    pattern,
    in: /^(server|renderer|contracts|electron)\//,
    except: /\/testing[^/]*\.ts$|^contracts\/src\/lookup\.ts$/,
  })),
  {
    name: 'an id becomes a path by placeBelow() only (within.ts): rows may come from a hostile backup',
    pattern: /path\.join\([^()]*\b(id|[a-z]\w*Id)\b[^()]*\)/,
    in: /^server\//,
    except: /\/testing(-[\w-]+)?\.ts$/,
  },
  { name: 'no focused or skipped tests', pattern: /\b(it|test|describe)\.(only|todo)\(/, in: /./ },
]
const isSource = (file) => /\.(ts|tsx|mjs)$/.test(file)
const isTest = (file) => /\.test\.tsx?$|\/testing\/|\/fixtures\//.test(file)

const files = ['contracts', 'server', 'renderer', 'electron', 'e2e', 'scripts', 'bench']
  .filter((place) => fs.existsSync(path.join(root, place)))
  .flatMap((place) => fs.readdirSync(path.join(root, place), { recursive: true }).map((file) => path.join(place, file)))
  .filter(isSource)
let broken = 0
for (const file of files) {
  const lines = fs.readFileSync(path.join(root, file), 'utf8').split('\n')
  for (const rule of RULES) {
    if (!rule.in.test(file) || rule.except?.test(file) || file === path.join('scripts', 'house-rules.mjs')) continue
    if (isTest(file) && !rule.name.startsWith('no focused')) continue
    lines.forEach((line, index) => {
      if (!rule.pattern.test(line) || /^\s*(\/\/|\*|\/\*)/.test(line)) return
      console.error(`${file}:${index + 1}: ${rule.name}`)
      broken += 1
    })
  }
}
if (fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8').includes('"resolved"')) {
  console.error('package-lock.json holds addresses; run npm install with the .npmrc of the checkout')
  broken += 1
}
const BUDGET = 'scripts/budget.json'
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64e6,
})
const figures = measured(
  root,
  tracked.split('\n').filter((file) => file && fs.existsSync(path.join(root, file))),
)
const table = fs.existsSync(path.join(root, BUDGET)) ? JSON.parse(fs.readFileSync(path.join(root, BUDGET), 'utf8')) : {}
if (process.argv.includes('--write')) fs.writeFileSync(path.join(root, BUDGET), written(lowered(table, figures)))
else
  for (const fault of budgetFaults(table, figures, pastTables(root, BUDGET))) {
    console.error(fault)
    broken += 1
  }
console.log(
  `house rules: ${files.length} files, ${broken} broken; ${figures.get('lines: all')} product lines, ${figures.get('functions over 120 lines')} functions over 120 lines`,
)
process.exit(broken === 0 && files.length > 20 ? 0 : 1)
