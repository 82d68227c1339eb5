// Who may import whom (DESIGN §2), checked over every module; fails when it sees too few of them. An argument names another tree.
import fs from 'node:fs'
import path from 'node:path'
import { cruise } from 'dependency-cruiser'
import { root as own } from './lib/setup.mjs'

const root = path.resolve(process.argv[2] ?? own)
const { STAGE_ORDER } = await import('../server/src/stages/order.ts')
const stage = (name) => `^server/src/stages/${name}/`
const inTests = '\\.test\\.tsx?$|/testing/|/fixtures/'

const rule = (name, from, to, comment) => ({ name, severity: 'error', comment, from: { pathNot: inTests, ...from }, to })
const forbidden = [
  rule(
    'no-cycles',
    { path: '^(contracts|server|renderer|electron)/' },
    { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    'a cycle is one room pretending to be two',
  ),
  rule(
    'contracts-know-zod-only',
    { path: '^contracts/' },
    { pathNot: '^contracts/|^node_modules/zod/' },
    'every process speaks it, so it may lean on none',
  ),
  rule(
    'workers-know-no-stage',
    { path: '^server/src/workers/' },
    { path: '^(server/src/(?!workers/)|contracts/)' },
    'jobs are handed over as URLs',
  ),
  rule('db-knows-contracts', { path: '^server/src/db/' }, { path: '^server/src/(?!db/)' }, 'the lowest room of the server'),
  rule(
    'plumbing-knows-db',
    { path: '^server/src/(events|jobs|spans)/' },
    { path: '^server/src/(?!events/|jobs/|spans/|db/)' },
    'events, jobs and spans stand on db',
  ),
  rule(
    'adapters-know-no-stage',
    { path: '^server/src/adapters/' },
    { path: '^server/src/(stages|http|cli|app)' },
    'the outside world knows nothing of the pipeline',
  ),
  rule(
    'http-and-cli-get-routes-handed',
    { path: '^server/src/(http|cli)/' },
    { path: '^server/src/stages/' },
    'app.ts hands the routes over',
  ),
  rule(
    'renderer-stays-in',
    { path: '^renderer/' },
    { path: '^(server|electron|hooks)/' },
    'the renderer talks to the server over the wire',
  ),
  rule('ui-knows-no-domain', { path: '^renderer/src/ui/' }, { path: '^(contracts/|renderer/src/(?!ui/))' }, 'controls know no domain word'),
  rule('electron-is-thin', { path: '^electron/' }, { path: '^(server|renderer)/' }, "the server's built entry is started, not imported"),
  ...STAGE_ORDER.flatMap((name, index) => {
    const later = STAGE_ORDER.slice(index + 1)
    return [
      ...(later.length
        ? [
            rule(
              `${name}-before-later-stages`,
              { path: stage(name) },
              { path: `^server/src/stages/(${later.join('|')})/` },
              'a stage never imports a later one',
            ),
          ]
        : []),
      rule(
        `${name}-behind-its-index`,
        { path: '^server/src/', pathNot: `${stage(name)}|${inTests}` },
        {
          path: stage(name),
          pathNot: `${stage(name)}(index|types|archive/(reader|survey|damage)|preview/measuring|base-models/gguf)\\.ts$`,
        },
        'a stage is imported through its index.ts (or its types)',
      ),
    ]
  }),
  rule(
    'features-apart',
    { path: '^renderer/src/features/([^/]+)/' },
    { path: '^renderer/src/features/', pathNot: '^renderer/src/features/$1/' },
    'a fact that two features show lives in api/',
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
for (const { rule: broken, from, to } of output.summary.violations) console.error(`rooms: ${broken.name}: ${from} → ${to}`)
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
process.exit(output.summary.violations.length + unresolved.length === 0 ? 0 : 1)
