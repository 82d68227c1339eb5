import { lookup } from '#contracts/lookup.ts'
/**
 * What scoring knows of tools, options and words (system.md §4.4), as data: the rules beside this file read it.
 * Lists are words between blanks.
 */
export const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))

type Lists = Partial<Record<'test' | 'build' | 'lint', string>>

/** Names under which a tool goes as well. */
export const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    gmake: 'make',
    gradlew: 'gradle',
    mvnw: 'mvn',
    clj: 'clojure',
    inv: 'invoke',
    'go-task': 'task',
    'py.test': 'pytest',
    'pytest-3': 'pytest',
    bazelisk: 'bazel',
    nodejs: 'node',
    'podman-compose': 'docker-compose',
  }),
)

/** Tools that are a run whatever their arguments. */
export const NAMED: Lists = {
  test: `pytest unittest nose2 nosetests trial tox nox behave robot doctest jest vitest mocha ava tap tape uvu karma wtr web-test-runner
    testcafe wdio bats shellspec prove ctest rspec cucumber phpunit paratest pest behat busted gotestsum ginkgo cargo-nextest verify.sh`,
  build: `tsc vue-tsc svelte-check mypy pyright basedpyright psalm py_compile compileall webpack rollup esbuild tsup`,
  lint: `eslint oxlint flake8 pylint shellcheck rubocop standardrb stylelint golangci-lint staticcheck revive hadolint yamllint actionlint
    ktlint detekt swiftlint clang-tidy cppcheck phpstan credo`,
}

/** Tools whose first plain word decides. */
export const SUBCOMMANDS: Readonly<Record<string, Lists>> = lookup({
  go: { test: 'test', build: 'build', lint: 'vet' },
  cargo: { test: 'test t nextest tarpaulin llvm-cov', build: 'build b check c', lint: 'clippy' },
  deno: { test: 'test', build: 'check', lint: 'lint' },
  bun: { test: 'test', build: 'build' },
  dotnet: { test: 'test', build: 'build' },
  swift: { test: 'test', build: 'build' },
  mix: { test: 'test', build: 'compile', lint: 'credo' },
  flutter: { test: 'test', build: 'build', lint: 'analyze' },
  dart: { test: 'test', lint: 'analyze' },
  zig: { test: 'test', build: 'build' },
  gleam: { test: 'test', build: 'build check' },
  playwright: { test: 'test' },
  ng: { test: 'test e2e', build: 'build', lint: 'lint' },
  ember: { test: 'test' },
  bazel: { test: 'test', build: 'build' },
  buck2: { test: 'test', build: 'build' },
  meson: { test: 'test', build: 'compile' },
  stack: { test: 'test', build: 'build' },
  cabal: { test: 'test', build: 'build' },
  dune: { test: 'test runtest', build: 'build' },
  forge: { test: 'test', build: 'build' },
  hardhat: { test: 'test', build: 'compile' },
  hatch: { test: 'test' },
  artisan: { test: 'test' },
  'manage.py': { test: 'test', lint: 'check' },
  rails: { test: 'test spec' },
  lein: { test: 'test', build: 'compile' },
  helm: { test: 'test', lint: 'lint' },
  rebar3: { test: 'eunit ct proper', build: 'compile' },
  cypress: { test: 'run' },
  codecept: { test: 'run' },
  nix: { build: 'build' },
  vite: { build: 'build' },
  next: { build: 'build', lint: 'lint' },
  nuxi: { build: 'build' },
  astro: { build: 'build check' },
  ruff: { lint: 'check' },
  biome: { lint: 'check lint ci' },
  buf: { lint: 'lint' },
  terraform: { lint: 'validate' },
  'pre-commit': { lint: 'run' },
})

/** Tools each of whose plain words is a target; the strongest kind counts. `bare`: what they are without any. */
export const TARGETS: Readonly<Record<string, Lists & { bare?: 'build' }>> = lookup({
  make: { test: 'test check distcheck', build: 'build all', lint: 'lint', bare: 'build' },
  ninja: { test: 'test', bare: 'build' },
  just: { test: 'test check', build: 'build all', lint: 'lint' },
  rake: { test: 'test spec' },
  gradle: { test: 'test check', build: 'build assemble' },
  mvn: { test: 'test verify', build: 'package compile install' },
  sbt: { test: 'test testOnly testQuick', build: 'compile' },
  mill: { test: 'test', build: 'compile' },
  xcodebuild: { test: 'test', build: 'build' },
  task: {},
  mise: {},
  invoke: {},
  doit: {},
  poe: {},
  gulp: {},
  grunt: {},
  ant: {},
  turbo: {},
})

/** Two words that decide. */
export const TWO_WORDS: Lists = { test: 'nix,flake,check R,CMD,check zig,build,test' }

/** Task tools besides those above: the first plain word behind the verb (or behind none) is a task. */
export const TASK_TOOLS: Readonly<Record<string, string>> = lookup({
  rush: '',
  lerna: 'run',
  moon: 'run ci',
  nps: '',
  composer: 'run run-script exec',
  pdm: 'run',
  rye: 'run',
  poetry: 'run',
  pixi: 'run',
  lefthook: 'run',
  devbox: 'run',
  mask: '',
  melos: 'run exec',
  bb: 'run',
  dagger: 'call',
})
/** Words before the targets of a tool of `TARGETS` and before the task of a sub-command tool. */
export const TASK_VERBS: Readonly<Record<string, string>> = lookup({ mise: 'run r', turbo: 'run', deno: 'task', cargo: 'xtask make' })

export const SCRIPTS: Lists = {
  test: 'test tests spec e2e check verify t',
  build: 'build compile typecheck type-check tsc',
  lint: 'lint',
}

/** Verbs of package managers that are no scripts. */
export const PACKAGE_VERBS =
  words(`add audit bin cache ci config create dedupe deploy env fund help import info init install i link list login logout
  ls outdated pack patch plugin prune publish rebuild remove rm root set store uninstall unlink up update upgrade version view whoami why
  search self-update setup server start dev stop restart approve-builds pm repl fetch node`)

/** Formatters: a lint only with one of the options that make them check. `gofmt` and `prettier` list with `-l`. */
export const FORMATTERS = words('prettier black isort gofmt yapf shfmt clang-format')
export const FORMAT_VERBS: Readonly<Record<string, string>> = lookup({
  ruff: 'format',
  cargo: 'fmt',
  dotnet: 'format',
  mix: 'format',
  dart: 'format',
  deno: 'fmt',
  terraform: 'fmt',
  biome: 'format',
  nix: 'fmt',
})
export const FORMAT_CHECKS = words(
  '--check -c --check-only --check-formatted --verify-no-changes -check --set-exit-if-changed -l -d --list-different --dry-run --Werror',
)

/** Options with which no tool runs anything, wherever they stand. */
export const NOTHING_RUNS =
  words(`--help -h --version --collect-only --co --fixtures --markers --setup-plan --listTests --list-tests --list -list
  --listenvs --show-only --show-config --showConfig --print-config --init --clearCache --dry-run --dryrun --dry --just-print`)
export const NOTHING_RUNS_FOR: Readonly<Record<string, string>> = lookup({
  make: '-n',
  ninja: '-n',
  just: '-n -l',
  task: '-n -l',
  rake: '-n -T',
  ctest: '-N',
  gradle: '-m',
  tox: '-l list l',
  nox: '-l',
  act: '-l',
  swift: '-l',
  dotnet: '-t',
  vitest: 'list',
  playwright: 'install codegen show-report open',
  cypress: 'open install verify',
  'pre-commit': 'install autoupdate',
  'golangci-lint': 'linters config',
  coverage: 'report',
})

/** The words of a task. Parts of a name, in lower case. */
export const TEST_WORDS =
  words(`test tests testing spec specs e2e unit integration smoke acceptance regression coverage cov check checks verify
  validate ci qa jest vitest pytest cypress playwright`)
export const BUILD_WORDS = words('build builds compile typecheck tsc assemble')
export const LINT_WORDS = words('lint lints linter eslint stylelint clippy vet ktlint detekt checkstyle')
export const STYLE_WORDS = words('format fmt style prettier spelling license links spotless formatting')
export const STYLE_CHECKS = words('check verify ci')
/** In the name of a file. */
export const FILE_TEST_WORDS = words('test tests testing spec specs e2e smoke')
export const FILE_FILLERS = words('run all ci local main index unit integration sh js')
export const TEST_FOLDERS = words('test tests __tests__ spec specs e2e')

export const NO_TEST =
  words(`setup seed deploy clean init install deps dependencies report reports generate gen create new list ls start stop up down
  migrate prepare classes update updates publish upload open serve env environment image images container containers make`)
export const NO_TEST_UNLESS_TEST_FIRST = words('data fixture fixtures db database results mock mocks stub stubs')
export const NO_TEST_FILE = words('helper helpers util utils server config conftest doc docs release version ui')
export const NO_BUILD_OR_LINT = words('install deps dependencies clean setup env doc docs')

/** A first plain word that makes an unknown tool a run; the last two only for a tool given by its path. */
export const UNKNOWN_VERBS: Readonly<Record<string, 'test' | 'build' | 'lint'>> = lookup({
  test: 'test',
  tests: 'test',
  e2e: 'test',
  lint: 'lint',
  typecheck: 'build',
})
export const UNKNOWN_PATH_VERBS = words('check verify')

/** Commands that only look: they neither run a suite nor report one of their own (§4.4, 7). */
export const LOOKS =
  words(`cat head tail less more grep egrep fgrep zgrep rg ag ack sed awk gawk ls find fd git gh glab diff jq yq curl wget echo printf env
  sleep cd pwd test [ true false : export set unset source . which type command wc sort uniq cut tr xargs tee date stat file tree du df ps pgrep
  kill pkill wait history man read seq basename dirname realpath readlink mkdir rm cp mv touch chmod bat batcat delta column nl tac hexdump xxd
  strings lsof top free uname whoami id printenv hostname journalctl dmesg systemctl exit return shift local declare sqlite3 psql mysql`)

/** Tools that do other things than verify, so that `psql test` is none. With `LOOKS`, the tools of the tables above, and names that begin with "create". */
export const OTHER_TOOLS =
  words(`pip pip3 pipx conda mamba micromamba uv apt apt-get apt-cache dnf yum apk pacman brew port snap choco winget scoop gem
  docker docker-compose podman nerdctl kubectl oc minikube kind helmfile aws gcloud gsutil az doctl fly flyctl heroku vercel netlify wrangler firebase
  supabase terragrunt pulumi ansible ansible-playbook vagrant packer psql mysql mysqldump mysqladmin pg_dump pg_restore createdb dropdb createuser
  redis-cli mongo mongosh sqlite3 influx cqlsh nvm fnm asdf rbenv pyenv rustup sdk n volta jenv direnv code vim nvim vi nano emacs subl idea open
  xdg-open ssh scp sftp rsync ping dig nslookup nc netcat telnet ip ifconfig ss netstat tar zip unzip gzip gunzip zstd xz bzip2 dd ln install mount
  umount chown sudo su passwd useradd service screen tmux watch time python ruby perl node php lua java javac jar gcc g++ clang cc ld ar nm gdb lldb
  openssl gpg base64 md5sum sha256sum split paste join comm fold fmt pr expand iconv patch cmp expr bc dc yes factor shuf alias unalias trap ulimit
  umask hash help jobs fg bg disown suspend pushd popd dirs getopts let mapfile readarray shopt caller compgen complete logout eval exec builtin
  django-admin rails-new svn hg fossil jj gpg-agent ffmpeg convert magick psexec powershell pwsh cmd crontab at logger tput clear reset stty tty`)

/** Options that take the next word as their value; for a tool without a row, those of `ANY`. */
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
/** Of `SELECTING`, what means something else for a tool. */
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

/** What a word names everything by: no narrowing. */
export const EVERYTHING = words('. ./ ... ./... //... test tests spec specs src t all ./test ./tests run')
/** Parts of a task word that say nothing of what it covers; unit, integration, e2e … do and stay. */
export const COVER_FILLERS = words(
  'test tests testing spec specs check checks verify validate coverage cov qa run all ci watch only local js ts fast quick debug silent verbose',
)

/** Options that move to another folder. */
export const FOLDER_OPTIONS = words('-C --prefix --cwd --dir --directory --project-dir --working-dir')

/** Tools of one language; task tools, scripts and tools without a row are of every one. */
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

export const SHELLS = words('bash sh zsh dash ksh fish')
/** Programs that run a file given to them; in data, the verb before it. */
export const INTERPRETERS = words(
  'bash sh zsh dash ksh fish python node tsx ts-node bun ruby perl php lua julia Rscript elixir dart swift zx vite-node jiti babel-node groovy kotlin scala racket guile tclsh osascript pypy deno',
)

const UV = `--directory --project --config-file --cache-dir --color --with -w --with-requirements --with-editable -p --python --extra --no-extra --group
  --no-group --only-group --package --env-file --index --index-url -i --default-index --extra-index-url -f --find-links
  -P --upgrade-package --reinstall-package --refresh-package --resolution --prerelease --link-mode --exclude-newer -C --config-setting
  --index-strategy --keyring-provider --python-platform --allow-insecure-host --no-install-package --no-build-package --no-binary-package --from`
const COMPOSE =
  '-f --file -p --project-name --profile --env-file --project-directory --ansi --parallel -e --env -u --user -w --workdir --index -v --volume --name --entrypoint -l --label'
const CONTAINER = `-e --env --env-file -u --user -w --workdir -v --volume --mount -p --publish --name --network --net --entrypoint -m --memory --cpus -h
  --hostname -l --label --platform --shm-size --ulimit --add-host --cap-add --cap-drop --device --dns --gpus --ipc --link --log-driver --log-opt
  --pid --pull --restart --runtime --security-opt --stop-signal --tmpfs --userns --volumes-from --detach-keys --expose --cidfile -a --attach`

interface Runner {
  /** Words between the tool and what it runs; several words joined by a blank. */
  verbs: readonly string[]
  values?: string
  /** Words after the options, before the command: an environment, a container, a folder. */
  skip?: number
  /** Where the word behind the verb is no command, it is a task of the tool. */
  tasks?: boolean
}
/** Tools that run a command through a verb. */
export const RUNNERS: Readonly<Record<string, Runner>> = lookup({
  uv: { verbs: ['run', 'tool run'], values: UV },
  poetry: { verbs: ['run'], values: '-C --directory -P --project', tasks: true },
  pipenv: { verbs: ['run'], values: '--python --pypi-mirror', tasks: true },
  pdm: { verbs: ['run'], values: '-p --project -c --config -s --site-packages', tasks: true },
  hatch: { verbs: ['run'], values: '-e --env -p --project --data-dir --cache-dir --config', tasks: true },
  rye: { verbs: ['run'], values: '-p --pyproject', tasks: true },
  pixi: { verbs: ['run', 'exec'], values: '-e --environment --manifest-path', tasks: true },
  devbox: { verbs: ['run'], values: '-c --config -e --env', tasks: true },
  pipx: { verbs: ['run'], values: '--spec --python' },
  volta: { verbs: ['run'], values: '--node --npm --yarn --pnpm' },
  dotnet: { verbs: ['tool run'] },
  npm: {
    verbs: ['exec', 'x'],
    values: '--prefix -C -w --workspace --userconfig --cache --registry --loglevel --script-shell -p --package',
  },
  pnpm: {
    verbs: ['exec', 'dlx', 'x'],
    values: '-C --dir -F --filter --filter-prod --workspace-concurrency --reporter --loglevel --package --config',
  },
  yarn: { verbs: ['exec', 'dlx'], values: '--cwd --use-yarnrc --modules-folder --cache-folder --registry -p --package' },
  bun: { verbs: ['x'], values: '-p --package --cwd --config --env-file' },
  bundle: { verbs: ['exec'], values: '--gemfile -r --retry' },
  composer: { verbs: ['exec'], values: '-d --working-dir' },
  conda: { verbs: ['run'], values: '-n --name -p --prefix --cwd' },
  mamba: { verbs: ['run'], values: '-n --name -p --prefix --cwd' },
  micromamba: { verbs: ['run'], values: '-n --name -p --prefix --cwd' },
  mise: { verbs: ['exec', 'x'], values: '-C --cd -j --jobs' },
  asdf: { verbs: ['exec'] },
  rbenv: { verbs: ['exec'] },
  pyenv: { verbs: ['exec'] },
  direnv: { verbs: ['exec'], skip: 1 },
  devenv: { verbs: ['shell'] },
  dotenvx: { verbs: ['run'], values: '-f --env-file -e --env -fv --env-vault-file' },
  op: { verbs: ['run'], values: '--env-file --account' },
  doppler: { verbs: ['run'], values: '-p --project -c --config -t --token --command' },
  infisical: { verbs: ['run'], values: '--env --path --projectId --token --command' },
  docker: {
    verbs: ['exec', 'run', 'container exec', 'container run', 'compose exec', 'compose run'],
    values: `${COMPOSE} ${CONTAINER}`,
    skip: 1,
  },
  podman: {
    verbs: ['exec', 'run', 'container exec', 'container run', 'compose exec', 'compose run'],
    values: `${COMPOSE} ${CONTAINER}`,
    skip: 1,
  },
  nerdctl: { verbs: ['exec', 'run', 'compose exec', 'compose run'], values: `${COMPOSE} ${CONTAINER}`, skip: 1 },
  'docker-compose': { verbs: ['exec', 'run'], values: COMPOSE, skip: 1 },
  kubectl: { verbs: ['exec'], values: '-n --namespace -c --container --context --kubeconfig -f --filename', skip: 1 },
  oc: { verbs: ['exec'], values: '-n --namespace -c --container --context --kubeconfig', skip: 1 },
})

/** Programs that run a string given to them as shell text: with which options, and which of their options take a value. */
export const STRING_RUNNERS: Readonly<Record<string, { option: string; values?: string }>> = lookup({
  su: { option: '-c --command' },
  script: { option: '-c --command', values: '-I -O -B -T -E' },
  'nix-shell': { option: '--run --command' },
})

/** Files that stand for a tool when an interpreter runs them. */
export const TOOL_FILES = words('phpunit pest artisan composer rails rake rspec manage.py behat codecept paratest phpstan psalm')

/** Code handed to `-e` or `-c` that runs tests. */
export const TEST_CODE = /\bPkg\.test\(|devtools::test\(|testthat::test_|\b(?:unittest\.main|pytest\.main|doctest\.testmod)\(/
