import { lookup } from '#contracts/lookup.ts'
import { words } from './tables.ts'

/** Options by tool that take the next word as their value. */
export const VALUES: Readonly<Record<string, string>> = lookup({
  pytest: `-k -m -c -n -p -o -W -r --tb --maxfail --rootdir --confcutdir --ignore --deselect --cov --cov-report --cov-config --junitxml --durations
    --timeout --basetemp --import-mode --numprocesses --dist --override-ini --color`,
  jest: `-c --config -t --testNamePattern --testPathPattern --testPathPatterns --testTimeout --maxWorkers -w --reporters --rootDir --env --outputFile
    --coverageDirectory --coverageReporters --projects --selectProjects --shard --changedSince`,
  vitest:
    '-c --config -t --testNamePattern --reporter --project --environment --pool --root -r --dir --outputFile --shard --maxWorkers --testTimeout --exclude',
  mocha: '-r --require -g --grep -f --fgrep -R --reporter -t --timeout --config --file --ui -u --spec --extension -n --node-option',
  playwright:
    '-c --config -g --grep --grep-invert -j --workers --project --reporter --retries --timeout --shard --output --max-failures --repeat-each',
  cypress: '-s --spec -b --browser -C --config-file -c --config -e --env -P --project -r --reporter --port --tag --group',
  tox: '-e -c -r --conf --workdir -p --parallel',
  nox: '-s --session --sessions -f --noxfile -k -p --python -t --tags',
  go: '-C -run -bench -count -timeout -tags -coverprofile -covermode -cpu -parallel -o -p -skip -exec -ldflags -gcflags -mod -outputdir -fuzz -fuzztime -list -coverpkg',
  cargo: `-C --config -Z --color --manifest-path --target-dir -p --package --exclude --features -F --target --profile -j --jobs --test --bin --example
    --bench -E --filter-expr --test-threads --skip --message-format --partition`,
  deno: '-c --config --import-map --filter --cwd -A= --coverage --reporter --junit-path',
  bun: '--cwd -c --config --env-file -F --filter -t --test-name-pattern --timeout --preload -r --bail --rerun-each --coverage-reporter',
  npm: '--prefix -C -w --workspace --userconfig --cache --registry --loglevel --script-shell',
  pnpm: '-C --dir -F --filter --filter-prod --workspace-concurrency --reporter --loglevel --config',
  yarn: '--cwd --use-yarnrc --modules-folder --cache-folder --registry',
  dotnet:
    '--filter -c --configuration -f --framework -r --runtime -l --logger -o --output -s --settings -v --verbosity --results-directory --collect -d --diag',
  swift: '--package-path --scratch-path -c --configuration --filter --skip -j --jobs -Xswiftc -Xcc --build-path',
  flutter: '-d --device-id --name --plain-name -t --tags -x --exclude-tags -r --reporter -j --concurrency --flavor',
  dart: '-n --name -N --plain-name -t --tags -x --exclude-tags -p --platform -r --reporter -j --concurrency -o --output',
  mix: '--only --exclude --include --seed --max-failures --cover --formatter --partitions',
  make: '-C --directory -f --file --makefile -I --include-dir -o --old-file --assume-old -W --what-if --new-file --assume-new --eval',
  ninja: '-C -f -j -k -l -d -t -w',
  meson: '-C --suite --no-suite -j -t --setup',
  just: '-f --justfile -d --working-directory --shell --shell-arg -E --dotenv-path --dotenv-filename --color --set',
  task: '-d --dir -t --taskfile -o --output -c --concurrency',
  rake: '-f --rakefile -C --directory -I --libdir -R --rakelibdir -r --require -e --execute -E -p',
  mvn: `-pl --projects -f --file -P --activate-profiles -T --threads -s --settings -gs --global-settings -t --toolchains -rf --resume-from
    -l --log-file -b --builder -D --define`,
  gradle: `-p --project-dir -b --build-file -c --settings-file -I --init-script -g --gradle-user-home -x --exclude-task --tests --max-workers --console
    --warning-mode --priority -F --dependency-verification --project-cache-dir --include-build -D --system-prop -P --project-prop`,
  ctest:
    '--test-dir -R -E -L -LE -j --parallel -C --build-config --timeout -I --tests-regex --exclude-regex --label-regex -M -T -S -D -O --output-log --repeat --output-junit',
  cmake: '--build -j --parallel --config --target -t --preset -B -S -G',
  rspec: '-e --example -t --tag -f --format -r --require -P --pattern -o --out -I --seed --order -c',
  phpunit: '--filter --testsuite --group --exclude-group -c --configuration --bootstrap --log-junit --coverage-clover',
  nx: '-t --target --targets -p --projects --parallel --base --head --exclude -c --configuration --maxParallel',
  turbo: '--filter -F --concurrency --cwd --output-logs --log-order --env-mode --cache-dir',
  lerna: '--scope --ignore --since --concurrency',
  xcodebuild: `-scheme -destination -project -workspace -configuration -sdk -derivedDataPath -resultBundlePath -testPlan -only-testing -skip-testing
    -target -arch -parallel-testing-enabled`,
  act: '-j --job -W --workflows -P --platform -e --eventpath -s --secret --env --env-file --secret-file',
  hatch: '-e --env -p --project --data-dir --cache-dir --config',
  doit: '-f --file -d --dir -n',
  invoke: '-c --collection -r --search-root',
  poe: '-C --directory -r --root',
  mill: '-j --jobs',
  black: '-l --line-length -t --target-version',
  helm: '-n --namespace --kube-context --timeout',
  'manage.py': '--settings --pythonpath -v --verbosity -k --tag --exclude-tag',
  robot: '-t --test -s --suite -i --include -e --exclude -d --outputdir -v --variable',
  behave: '-t --tags -n --name -f --format -o --outfile -D --define',
  node: `-r --require --import --loader --experimental-loader --env-file --env-file-if-exists -C --conditions --test-reporter --test-reporter-destination
    --test-name-pattern --test-skip-pattern --test-concurrency --test-timeout --test-shard -e --eval -p --print`,
  tsx: '--tsconfig --require -r --import --test-name-pattern --test-reporter -e --eval',
  'ts-node': '-P --project -r --require -e --eval',
  python: '-W -X --check-hash-based-pycs -c',
  ruby: '-I -r -e -C',
  perl: '-I -M -e -E',
  php: '-d -c -r -z',
  lua: '-e -l',
  julia: '-e --eval -E -t --threads -L --load -J --sysimage',
  Rscript: '-e',
  elixir: '-e -r -S -pr',
  bash: '-o -O --rcfile --init-file',
  moon: '-c --concurrency',
  earthly: '--build-arg',
  bazel: '--test_filter --test_tag_filters -c --config --test_output --jobs',
  dagger: '-m --mod',
  composer: '-d --working-dir',
  prove: '-j -I -e --exec --jobs --formatter',
  bats: '-f --filter -j --jobs -F --formatter -o --output',
})

/** Options whose value narrows what runs. `-p` and `-s` select for some tools only. */
export const SELECTING =
  words(`-k -m -t -g -e -n -run -skip -R -L -E --grep --filter --tests --only --package --project --projects --workspace -w --shard
  --lf --last-failed --ff --changed --changedSince --only-changed -o --onlyChanged --testNamePattern --testPathPattern --test-name-pattern --example
  --tag --tags --group --testsuite --suite --spec -pl --scope --since --test -Dtest -F --filter-expr --name --plain-name --affected --sw --stepwise
  -only-testing --deselect --exclude --ignore --lib --bin --bins --doc --selectProjects --related --session --sessions --include --test_filter --env`)
export const SELECTING_FOR: Readonly<Record<string, string>> = lookup({
  cargo: '-p',
  nox: '-s',
  uv: '--package',
  nx: '-p',
  ginkgo: '-focus --focus',
})
/** Options of `SELECTING` that mean something else for a tool. */
export const NOT_SELECTING_FOR: Readonly<Record<string, string>> = lookup({
  jest: '-w -e -o -n -m',
  vitest: '-w -e -n -m',
  pytest: '-n -o -e -t -g -s',
  go: '-n -e -o -m -t -g',
  cargo: '-F -n -o -e -m --features',
  make: '-k -e -n -t -w -m -o',
  mvn: '-e -o -t -n --include',
  gradle: '-m -t -g -F --include',
  mocha: '-t -w -n',
  node: '-e -t',
  ctest: '-E',
  npm: '-g',
  bash: '-e -n -m -k -t',
  prove: '-e',
  dotnet: '-t -o -e',
})

/** Arguments that mean everything. */
export const EVERYTHING = words('. ./ ... ./... //... test tests spec specs src t all ./test ./tests run')
/** Parts of a task name that do not narrow its scope; unit, integration, e2e and others do. */
export const COVER_FILLERS = words(
  'test tests testing spec specs check checks verify validate coverage cov qa run all ci watch only local js ts fast quick debug silent verbose',
)

/** Options that move to another folder. */
export const FOLDER_OPTIONS = words('-C --prefix --cwd --dir --directory --project-dir --working-dir')

/** Tools of one language; task tools, scripts and unlisted tools match every language. */
export const FAMILIES: Readonly<Record<string, string>> = lookup({
  js: `jest vitest mocha ava tap tape uvu karma wtr web-test-runner testcafe wdio playwright cypress node tsx ts-node deno ng ember tsc vue-tsc
    svelte-check webpack rollup esbuild tsup vite next nuxi astro eslint oxlint stylelint biome prettier hardhat`,
  py: `pytest unittest nose2 nosetests trial tox nox behave robot doctest python manage.py mypy pyright basedpyright py_compile compileall ruff flake8
    pylint black isort hatch`,
  rust: 'cargo cargo-nextest',
  go: 'go gotestsum ginkgo golangci-lint staticcheck revive gofmt',
  jvm: 'gradle mvn sbt mill lein clojure ktlint detekt',
  net: 'dotnet',
  swift: 'swift xcodebuild swiftlint',
  ruby: 'rspec cucumber rails ruby rubocop standardrb',
  php: 'phpunit paratest pest behat codecept artisan php psalm phpstan',
  beam: 'mix rebar3 credo gleam elixir',
  dart: 'dart flutter',
  c: 'ctest ninja meson cmake clang-tidy cppcheck',
  shell: 'bats shellspec shellcheck',
  perl: 'prove perl',
  haskell: 'stack cabal',
  r: 'R Rscript',
  julia: 'julia',
  lua: 'busted lua',
  zig: 'zig',
})
