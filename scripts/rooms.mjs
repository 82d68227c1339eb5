// Checks which module may import which. It also fails if it finds too few modules. An optional argument is another source tree to check.
import fs from 'node:fs'
import path from 'node:path'
import { cruise } from 'dependency-cruiser'
import { FOREIGN_ROOMS, OWN_FOLDERS } from './lib/own-folders.mjs'
import { root as own } from './lib/setup.mjs'

const root = path.resolve(process.argv[2] ?? own)
const { STAGE_ORDER } = await import('../server/src/stages/order.ts')
const inTests = '\\.test\\.tsx?$|/testing/|/testing[-.][^/]*$|/fixtures/'

/** Small modules in the server's root that most parts may import. */
const SHARED =
  '(damaged-document|disk|duration|exact-json|file-hash|given|instant|node-version|outside-file|product|real-path|refusals|shallow-json|snake-case|start-failure|tags|whole-records|within)\\.ts'
/** Modules in the server's root that assemble the application. */
const TOP = '(app|headless|launch|main|mod-options|offline|pipeline|schema|serve|serve-sandboxes)\\.ts'

/**
 * Each part of the product, its path, and the parts it may import in addition to itself. Other imports are forbidden, and
 * a module that is in no part is an error. A stage may import the stages before it (order.ts).
 */
const BASE = [
  'contracts',
  'config',
  'core',
  'db',
  'events',
  'foreign',
  'jobs',
  'detect',
  'likeness',
  'statistics',
  'prices',
  'runs',
  'spans',
  'streams',
  'shell',
  'calls',
  'workers',
  'shared',
  'process',
  'stage',
]
const parts = {
  contracts: { at: '^contracts/', may: [] },
  config: { at: '^server/src/(config|program-path|env-file)\\.ts$', may: ['contracts'] },
  workers: { at: '^server/src/workers/', may: ['contracts'] },
  db: { at: '^server/src/db/', may: ['contracts'] },
  shared: { at: `^server/src/(${SHARED}|stages/order\\.ts)$`, may: ['contracts', 'config', 'db'] },
  foreign: { at: '^server/src/foreign/', may: ['contracts'] },
  process: { at: '^server/src/process/', may: ['contracts', 'shared'] },
  events: { at: '^server/src/events/', may: ['contracts', 'db'] },
  jobs: { at: '^server/src/jobs/', may: ['contracts', 'db', 'events', 'shared'] },
  core: { at: '^server/src/core\\.ts$', may: ['config', 'db', 'shared', 'events', 'jobs', 'workers'] },
  runs: { at: '^server/src/runs/', may: ['contracts', 'adapters', 'core', 'db', 'events', 'jobs', 'process', 'shared'] },
  spans: { at: '^server/src/spans/', may: ['contracts', 'core', 'db', 'shared'] },
  streams: { at: '^server/src/streams/', may: ['contracts', 'shared'] },
  stage: { at: '^server/src/stages/stage\\.ts$', may: ['contracts', 'core', 'streams'] },
  shell: { at: '^server/src/shell/', may: ['contracts'] },
  calls: { at: '^server/src/calls/', may: ['contracts', 'shared'] },
  detect: { at: '^server/src/detect/', may: ['contracts'] },
  likeness: { at: '^server/src/likeness/', may: [] },
  statistics: { at: '^server/src/statistics/', may: ['contracts'] },
  prices: { at: '^server/src/prices/', may: ['contracts'] },
  listeners: { at: '^server/src/listeners/', may: [] },
  dataDir: { at: '^server/src/data-dir/', may: ['contracts', 'config', 'db', 'shared'] },
  adapters: { at: '^server/src/adapters/', may: ['contracts', 'foreign', 'listeners', 'prices', 'process', 'shared'] },
  ...Object.fromEntries(
    STAGE_ORDER.map((name, index) => [name, { at: stage(name), may: [...BASE, 'adapters', ...STAGE_ORDER.slice(0, index)] }]),
  ),
  system: { at: '^server/src/system/', may: [...BASE, 'adapters', 'dataDir', 'listeners'] },
  http: { at: '^server/src/http/', may: ['contracts', 'events', 'listeners', 'shared', 'streams'] },
  cli: {
    at: '^server/src/cli/',
    may: ['contracts', 'config', 'dataDir', 'adapters', 'foreign', 'listeners', 'shared', 'system', 'workers', 'top'],
  },
  top: { at: `^server/src/${TOP}$`, may: [...BASE, 'dataDir', 'adapters', 'listeners', 'system', 'http', ...STAGE_ORDER] },
  ui: { at: '^renderer/src/ui/', may: [] },
  stores: { at: '^renderer/src/stores/', may: [] },
  api: { at: '^renderer/src/api/', may: ['contracts', 'ui'] },
  features: { at: '^renderer/src/features/', may: ['contracts', 'api', 'stores', 'ui', 'frame'] },
  frame: { at: '^renderer/src/app/', may: ['contracts', 'api', 'stores', 'ui', 'features'] },
  page: { at: '^renderer/src/(main\\.tsx|engines\\.ts|jitless\\.ts)$', may: ['frame', 'api', 'stores', 'ui'] },
  electron: { at: '^electron/', may: ['contracts'] },
}

/** Capabilities outside the process: the packages that provide them (with or without `node:`), and the parts that may use them. */
const powers = {
  network: {
    of: ['http', 'https', 'http2', 'net', 'tls', 'dgram', 'dns', 'ws', 'express', 'undici'],
    for: ['http', 'listeners', 'adapters', 'process', 'cli', 'top', 'electron'], // process: only sockets between programs of ours
  },
  'child-processes': { of: ['child_process', 'cluster', 'execa', 'node-pty', '@lydell/node-pty'], for: ['process', 'electron'] },
  threads: { of: ['worker_threads'], for: ['workers'] },
  database: { of: ['sqlite', 'better-sqlite3'], for: ['db'] },
  files: {
    of: ['fs', 'write-file-atomic'],
    for: [
      'config',
      'db',
      'shared',
      'foreign',
      'detect', // its own word lists
      'process',
      'runs',
      'dataDir',
      'adapters',
      'system',
      'http',
      'cli',
      'top',
      'electron',
      ...STAGE_ORDER,
    ],
  },
  'code-from-text': { of: ['vm', 'module', 'repl', 'inspector'], for: ['workers', 'privacy', 'factory'] },
  desktop: { of: ['electron'], for: ['electron'] },
}

/** Parts that may change files; the other parts with `files` only read. Imports do not show this, so the check searches for calls. */
const WRITERS = [
  'db',
  'shared',
  'foreign',
  'process',
  'runs',
  'dataDir',
  'adapters',
  'system',
  'electron',
  ...STAGE_ORDER.filter((name) => name !== 'scoring'),
]
const WRITES =
  /\bfs\.(?:promises\.)?(?:write|append|mkdir|mkdtemp|rm|rename|unlink|cp|copyFile|chmod|chown|truncate|symlink|link|createWriteStream|utimes)\w*\(/

function stage(name) {
  return `^server/src/stages/${name}/`
}
const rule = (name, from, to, comment) => ({ name, severity: 'error', comment, from: { pathNot: inTests, ...from }, to })
const places = (names) => names.map((name) => parts[name].at).join('|')
const ours = '^(contracts|server|renderer|electron|hooks|e2e|bench|scripts)/'

const forbidden = [
  rule('no-cycles', { path: ours }, { circular: true }, 'modules that import each other are one module'),
  rule('contracts-know-zod-only', { path: parts.contracts.at }, { pathNot: '^contracts/|^node_modules/zod/' }, 'every process loads it'),
  ...Object.entries(parts).map(([name, { at, may }]) =>
    rule(
      `${name}-imports`,
      { path: at },
      { path: ours, pathNot: places([name, ...may]) },
      `${name} may import: ${may.join(', ') || 'nothing of ours'}`,
    ),
  ),
  ...Object.entries(powers).map(([name, power]) =>
    rule(
      `${name}-by-room`,
      { path: ours, pathNot: `${places(power.for)}|${inTests}` },
      { path: power.of.map((module) => `^(node:)?${module}(/|$)|(^|/)node_modules/(@types/)?${module}/`).join('|') },
      `only ${power.for.join(', ')}`,
    ),
  ),
  ...STAGE_ORDER.map((name) =>
    rule(
      `${name}-behind-its-index`,
      { path: '^server/src/', pathNot: `${stage(name)}|${inTests}` },
      {
        path: stage(name),
        pathNot: `${stage(name)}(index|types|schema|archive/(reader|survey|damage)|preview/measuring|base-models/gguf)\\.ts$`,
      },
      'a stage is imported through its index.ts (or its types)',
    ),
  ),
  rule(
    'stages-start-no-process',
    { path: '^server/src/stages/' },
    { path: '^server/src/process/(?!marks\\.ts$)' },
    'a stage starts a process through an adapter',
  ),
  rule(
    'runs-know-types-of-adapters-only',
    { path: parts.runs.at },
    { path: parts.adapters.at, pathNot: 'types\\.ts$' },
    'engines are handed in',
  ),
  rule(
    'features-apart',
    { path: '^renderer/src/features/([^/]+)/' },
    { path: '^renderer/src/features/', pathNot: '^renderer/src/features/$1/' },
    'what two features show is read by api/; links and words that they share lie in app/',
  ),
  rule(
    'features-are-collected',
    { path: '^renderer/src/app/', pathNot: `^renderer/src/app/(features\\.ts|start\\.tsx)$|${inTests}` },
    { path: '^renderer/src/features/' },
    'the frame knows the features by app/features.ts',
  ),
]

const { output } = await cruise(
  ['contracts', 'server', 'renderer/src', 'electron/src'].filter((place) => fs.existsSync(path.join(root, place))),
  {
    baseDir: root,
    ruleSet: { forbidden },
    validate: true,
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.css$' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
      conditionNames: ['import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
)
const modules = output.modules.filter(({ source }) => /^(contracts|server|renderer|electron)\//.test(source))
const edges = modules.reduce((sum, { dependencies }) => sum + dependencies.length, 0)
const unresolved = modules.flatMap(({ source, dependencies }) =>
  dependencies
    .filter(({ couldNotResolve, module }) => couldNotResolve && module.startsWith('#'))
    .map(({ module }) => `${source} → ${module}`),
)
/** These modules load our modules in threads, by a URL that they receive. */
const LOADERS =
  /^server\/src\/(workers\/thread|stages\/(capture\/archive\/archive\.job|factory\/(versions\/collect|curate\/shared-texts)\.job|traces\/((?:passages|reading)\.job|load-analysers)))\.ts$/
const isProduct = (file) => !new RegExp(inTests).test(file) && /^(contracts|server|renderer|electron)\/src\//.test(file)
const homeless = modules.filter(({ source }) => isProduct(source) && !Object.values(parts).some(({ at }) => new RegExp(at).test(source)))
// No check can follow an import whose path is computed.
const blind = modules.flatMap(({ source }) => {
  if (!isProduct(source) || LOADERS.test(source)) return []
  const text = fs.readFileSync(path.join(root, source), 'utf8')
  return [/\bgetBuiltinModule\b/, /\bimport\((?!\s*(['"])[^'"]*\1\s*[,)])/]
    .flatMap((pattern) => pattern.exec(text)?.[0] ?? [])
    .map((found) => [source, found])
})
for (const { rule: broken, from, to } of output.summary.violations) console.error(`rooms: ${broken.name}: ${from} → ${to}`)
const writing = modules.filter(
  ({ source }) =>
    isProduct(source) && !new RegExp(places(WRITERS)).test(source) && WRITES.test(fs.readFileSync(path.join(root, source), 'utf8')),
)
for (const { source } of writing) console.error(`rooms: ${source} changes files; only these may: ${WRITERS.join(', ')}`)
const ownFolders = new Set(OWN_FOLDERS.flatMap(({ modules: names }) => names))
const usesFiles = ({ dependencies }) =>
  dependencies.some(({ module, dependencyTypes }) => /^(?:node:)?fs(?:\/|$)/.test(module) && !dependencyTypes.includes('type-only'))
const inForeignRooms = modules.filter(({ source }) => isProduct(source) && FOREIGN_ROOMS.test(source))
const reading = inForeignRooms.filter((module) => usesFiles(module) && !ownFolders.has(module.source))
for (const { source } of reading)
  console.error(
    `rooms: ${source} uses the file system: folders of others are read and written through server/src/foreign (scripts/lib/own-folders.mjs)`,
  )
// scripts that check another tree do not have these modules
const unused =
  root === path.resolve(own)
    ? [...ownFolders].filter((name) => !inForeignRooms.some((module) => module.source === name && usesFiles(module)))
    : []
for (const name of unused) console.error(`rooms: ${name} no longer needs its line in scripts/lib/own-folders.mjs`)
for (const { source } of homeless) console.error(`rooms: ${source} belongs to no part in scripts/rooms.mjs`)
for (const [source, found] of blind) console.error(`rooms: ${source} uses "${found}": the check cannot follow it`)
for (const edge of unresolved) console.error(`rooms: cannot follow ${edge}: the check would be blind there`)

const onDisk = ['contracts/src', 'server/src', 'renderer/src', 'electron/src']
  .flatMap((place) => (fs.existsSync(path.join(root, place)) ? fs.readdirSync(path.join(root, place), { recursive: true }) : []))
  .filter((file) => /\.tsx?$/.test(file)).length
console.log(`rooms: ${modules.length} modules, ${edges} imports, ${output.summary.violations.length} violations`)
if (modules.length === 0 || modules.length < onDisk * 0.95 || edges < modules.length) {
  console.error(
    `rooms: only ${modules.length} of ${onDisk} modules and ${edges} imports were seen: the check would pass by seeing nothing.`,
  )
  process.exit(1)
}
process.exit(
  output.summary.violations.length +
    unresolved.length +
    homeless.length +
    blind.length +
    writing.length +
    reading.length +
    unused.length ===
    0
    ? 0
    : 1,
)
