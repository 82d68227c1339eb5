import { lookup } from '#contracts/lookup.ts'
import type { z } from 'zod'
import type { RunKind as RunKindSchema } from '#contracts/entities/score.ts'
import { isAssignment, NO_VALUES, options, positionals, withoutFolder, type ValueOptions } from './shell/options.ts'
import { unwrap } from './wrappers.ts'

export type RunKind = z.infer<typeof RunKindSchema>

/** A command that the user declared to verify: its words must begin the command, with or without what wraps it. */
export interface OwnCommand {
  words: readonly string[]
  kind: RunKind
}

const names = (kind: RunKind, list: string): [string, RunKind][] => list.split(' ').map((name) => [name, kind])

/** Commands that verify whatever their arguments are (system.md §4.4, table). */
const BY_NAME = new Map<string, RunKind>([
  ...names('test', 'pytest py.test unittest tox nox jest vitest mocha ava bats ctest rspec phpunit verify.sh'),
  ...names('build', 'tsc vue-tsc mypy pyright py_compile compileall webpack'),
  ...names('lint', 'eslint flake8 pylint shellcheck rubocop stylelint golangci-lint'),
])

/** Scripts of package.json, each also as `name:…`. */
const SCRIPTS = new Map<string, RunKind>([
  ...names('test', 'test tests spec e2e check verify'),
  ...names('build', 'build compile typecheck type-check tsc'),
  ...names('lint', 'lint'),
])

interface Verbs {
  /** The first word that is no option decides; with `anyWord`, each such word is a target and the strongest kind counts. */
  verbs: Record<string, RunKind>
  values: ValueOptions
  anyWord?: boolean
  /** What the command is without any target. */
  bare?: RunKind
}

const verbs = (kinds: Partial<Record<RunKind, string>>, values: ValueOptions = NO_VALUES): Verbs => ({
  verbs: Object.fromEntries(Object.entries(kinds).flatMap(([kind, list]) => names(kind as RunKind, list))),
  values,
})
const targets = (kinds: Partial<Record<RunKind, string>>, values: ValueOptions, bare?: RunKind): Verbs => ({
  ...verbs(kinds, values),
  anyWord: true,
  ...(bare && { bare }),
})

const MAVEN = targets(
  { test: 'test verify', build: 'package compile install' },
  options(
    '-pl --projects -f --file -P --activate-profiles -T --threads -s --settings -gs --global-settings -t --toolchains -rf --resume-from -l --log-file -b --builder -D --define',
  ),
)
const GRADLE = targets(
  { test: 'test check', build: 'build assemble' },
  options(
    '-p --project-dir -b --build-file -c --settings-file -I --init-script -g --gradle-user-home -x --exclude-task --tests --max-workers --console ' +
      '--warning-mode --priority -F --dependency-verification --project-cache-dir --include-build -D --system-prop -P --project-prop',
  ),
)

/** Commands whose first words say what they do (same table). */
const BY_VERB: Record<string, Verbs> = lookup({
  go: verbs({ test: 'test', build: 'build', lint: 'vet' }, options('-C')),
  cargo: verbs(
    { test: 'test nextest', build: 'build check', lint: 'clippy' },
    options('-C --config -Z --color --manifest-path --target-dir'),
  ),
  deno: verbs({ test: 'test', build: 'check', lint: 'lint' }),
  dotnet: verbs({ test: 'test', build: 'build' }),
  swift: verbs({ test: 'test', build: 'build' }, options('--package-path --scratch-path -c --configuration')),
  mix: verbs({ test: 'test', build: 'compile' }),
  flutter: verbs({ test: 'test', build: 'build' }, options('-d --device-id')),
  playwright: verbs({ test: 'test' }),
  cypress: verbs({ test: 'run' }),
  vite: verbs({ build: 'build' }),
  next: verbs({ build: 'build', lint: 'lint' }),
  ruff: verbs({ lint: 'check' }, options('--config')),
  biome: verbs({ lint: 'check lint' }),
  rake: targets({ test: 'test spec' }, options('-f --rakefile -C --directory -I --libdir -R --rakelibdir -r --require -e --execute -E -p')),
  mvn: MAVEN,
  mvnw: MAVEN,
  gradle: GRADLE,
  gradlew: GRADLE,
  make: targets(
    { test: 'test check', build: 'all build', lint: 'lint' },
    options('-C --directory -f --file --makefile -I --include-dir -o --old-file --assume-old -W --what-if --new-file --assume-new --eval'),
    'build',
  ),
  just: targets(
    { test: 'test check', build: 'build', lint: 'lint' },
    options('-f --justfile -d --working-directory --shell --shell-arg -E --dotenv-path --dotenv-filename --color --set'),
  ),
})

const PACKAGE_MANAGERS: Record<string, ValueOptions> = lookup({
  npm: options('--prefix -C -w --workspace --userconfig --cache --registry --loglevel --script-shell'),
  pnpm: options('-C --dir -F --filter --filter-prod --workspace-concurrency --reporter --loglevel --config'),
  yarn: options('--cwd --use-yarnrc --modules-folder --cache-folder --registry'),
  bun: options('--cwd -c --config --env-file -F --filter'),
})

const STRENGTH: readonly RunKind[] = ['test', 'build', 'lint']
const strongest = (kinds: readonly RunKind[]): RunKind | null => STRENGTH.find((kind) => kinds.includes(kind)) ?? null

/** Wrappers around wrappers: nobody stacks more, and hostile text must not cost more. */
const MAX_WRAPPERS = 20

/** What kind of verification a simple command is, null when it is none. `words` as the shell would split them. */
export function verificationKind(words: readonly string[], own: readonly OwnCommand[] = []): RunKind | null {
  if (words.slice(1).some((word) => word === '--help' || word === '-h' || word === '--version')) return null
  return kindWithin(words, own, MAX_WRAPPERS)
}

function kindWithin(words: readonly string[], own: readonly OwnCommand[], wrappers: number): RunKind | null {
  let current: readonly string[] | null = words
  for (let left = wrappers; current !== null && current.length > 0 && left > 0; left--) {
    const kind = ownKind(current, own) ?? knownKind(current, left - 1)
    if (kind) return kind
    current = unwrap(current)
  }
  return null
}

function ownKind(words: readonly string[], own: readonly OwnCommand[]): RunKind | null {
  const match = own.find(
    (command) =>
      command.words.length > 0 &&
      command.words.every((word, index) => words[index] === word || (index === 0 && withoutFolder(words[0]!) === withoutFolder(word))),
  )
  return match?.kind ?? null
}

function knownKind(words: readonly string[], wrappers: number): RunKind | null {
  const name = withoutFolder(words[0]!)
  const args = words.slice(1)
  const known = BY_NAME.get(name)
  if (known) return known
  if (Object.hasOwn(BY_VERB, name)) return verbKind(name, args, BY_VERB[name]!)
  if (Object.hasOwn(PACKAGE_MANAGERS, name)) return scriptKind(name, args, PACKAGE_MANAGERS[name]!, wrappers)
  if (name === 'cmake') return args[0] === '--build' || args.includes('--build') ? 'build' : null
  if (name === 'prettier' || name === 'black') return args.includes('--check') ? 'lint' : null
  if (name === 'node') return runsNodeTests(args) ? 'test' : null
  return null
}

function verbKind(name: string, args: readonly string[], { verbs: kinds, values, anyWord, bare }: Verbs): RunKind | null {
  const plain = positionals(args, values).filter((word) => !isAssignment(word))
  if (!anyWord) {
    const verb = name === 'cargo' && plain[0]?.startsWith('+') ? plain[1] : plain[0] // `cargo +nightly test`
    return verb !== undefined && Object.hasOwn(kinds, verb) ? kinds[verb]! : null
  }
  const found = (name === 'make' ? plain.filter((_, index) => !isJobCount(args, plain, index)) : plain).map((word) =>
    name.startsWith('gradle') ? word.slice(word.lastIndexOf(':') + 1) : word,
  )
  if (found.length === 0) return bare ?? null
  return strongest(found.flatMap((word) => (Object.hasOwn(kinds, word) ? [kinds[word]!] : [])))
}

/** `make -j 4`, `make -l 2.5`: the number belongs to the option when it stands right behind it. */
function isJobCount(args: readonly string[], plain: readonly string[], index: number): boolean {
  const word = plain[index]!
  return /^\d+(\.\d+)?$/.test(word) && /^(-[a-zA-Z]*[jl]|--jobs|--load-average|--max-load)$/.test(args[args.indexOf(word) - 1] ?? '')
}

function scriptKind(name: string, args: readonly string[], values: ValueOptions, wrappers: number): RunKind | null {
  let plain = positionals(args, values)
  if (plain[0] === 'workspace' && name === 'yarn') plain = plain.slice(2)
  else if (plain[0] === 'workspaces' && name === 'yarn') plain = plain.slice(plain[1] === 'foreach' ? 2 : 1)
  else if (plain[0] === 'recursive' && name === 'pnpm') plain = plain.slice(1)
  const [verb, script] = plain
  if (verb === undefined) return null
  if (verb === 'test' || verb === 't') return verb === 'test' || name === 'npm' || name === 'pnpm' ? 'test' : null
  const isRun = verb === 'run' || verb === 'run-script'
  if (name === 'npm') return isRun ? packageScript(script) : null
  if (isRun) return packageScript(script) ?? (script === undefined ? null : kindWithin(after(args, script), [], wrappers))
  return packageScript(verb) ?? kindWithin(after(args, verb), [], wrappers)
}

const packageScript = (script: string | undefined): RunKind | null => SCRIPTS.get(script?.split(':')[0] ?? '') ?? null

/** `yarn --cwd web jest --ci` → `jest --ci`. */
const after = (args: readonly string[], word: string): string[] => args.slice(args.indexOf(word))

const NODE = options(
  '-r --require --import --loader --experimental-loader --env-file --env-file-if-exists -C --conditions --test-reporter --test-reporter-destination --test-name-pattern --test-skip-pattern --test-concurrency --test-timeout --test-shard',
)

/** `--test` counts before the script only: behind it, it is an argument of the script. */
function runsNodeTests(args: readonly string[]): boolean {
  for (let index = 0; index < args.length; index++) {
    const word = args[index]!
    if (word === '--test') return true
    if (NODE.has(word)) index++
    else if (!word.startsWith('-') || /^-[ep]|^--(eval|print)/.test(word)) return false
  }
  return false
}
