import { lookup } from '#contracts/lookup.ts'
/**
 * What scoring knows about tools, options and words, as data for the rules in this folder.
 * Lists are separated by spaces.
 */
export const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))

type Lists = Partial<Record<'test' | 'build' | 'lint', string>>

/** Other names of tools. */
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

/** Tools that are a check whatever their arguments. */
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

/** Tools whose plain words are all targets; test outranks build, build outranks lint. `bare` is the kind without a target. */
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

/** Tools followed by two words that decide. */
export const TWO_WORD_TOOLS: Lists = { test: 'nix,flake,check R,CMD,check zig,build,test' }

/** More task tools: the first plain word, after an optional verb, is a task. */
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
/** Verbs before the targets of a tool in `TARGETS`, or before the task of a tool in `SUBCOMMANDS`. */
export const TASK_VERBS: Readonly<Record<string, string>> = lookup({ mise: 'run r', turbo: 'run', deno: 'task', cargo: 'xtask make' })

export const SCRIPTS: Lists = {
  test: 'test tests spec e2e check verify t',
  build: 'build compile typecheck type-check tsc',
  lint: 'lint',
}

/** Verbs of package managers that are not scripts. */
export const PACKAGE_VERBS =
  words(`add audit bin cache ci config create dedupe deploy env fund help import info init install i link list login logout
  ls outdated pack patch plugin prune publish rebuild remove rm root set store uninstall unlink up update upgrade version view whoami why
  search self-update setup server start dev stop restart approve-builds pm repl fetch node`)

/** Formatters count as lint only with an option that makes them check. */
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

/** Options with which no tool runs anything, in any position. */
export const DRY_RUN_OPTIONS =
  words(`--help -h --version --collect-only --co --fixtures --markers --setup-plan --listTests --list-tests --list -list
  --listenvs --show-only --show-config --showConfig --print-config --init --clearCache --dry-run --dryrun --dry --just-print`)
export const TOOL_DRY_RUN_OPTIONS: Readonly<Record<string, string>> = lookup({
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

/** Parts of a task name that decide its kind, in lower case. */
export const TEST_WORDS =
  words(`test tests testing spec specs e2e unit integration smoke acceptance regression coverage cov check checks verify
  validate ci qa jest vitest pytest cypress playwright`)
export const BUILD_WORDS = words('build builds compile typecheck tsc assemble')
export const LINT_WORDS = words('lint lints linter eslint stylelint clippy vet ktlint detekt checkstyle')
export const STYLE_WORDS = words('format fmt style prettier spelling license links spotless formatting')
export const STYLE_CHECKS = words('check verify ci')
/** Parts of a file name. */
export const FILE_TEST_WORDS = words('test tests testing spec specs e2e smoke')
export const FILE_FILLERS = words('run all ci local main index unit integration sh js')
export const TEST_FOLDERS = words('test tests __tests__ spec specs e2e')

export const NON_TEST_WORDS =
  words(`setup seed deploy clean init install deps dependencies report reports generate gen create new list ls start stop up down
  migrate prepare classes update updates publish upload open serve env environment image images container containers make`)
export const NON_TEST_WORDS_UNLESS_TEST_FIRST = words('data fixture fixtures db database results mock mocks stub stubs')
export const NON_TEST_FILE_WORDS = words('helper helpers util utils server config conftest doc docs release version ui')
export const NO_BUILD_OR_LINT = words('install deps dependencies clean setup env doc docs')

/** First plain words that make an unknown tool a check; `UNKNOWN_PATH_VERBS` only if the tool is given as a path. */
export const UNKNOWN_VERBS: Readonly<Record<string, 'test' | 'build' | 'lint'>> = lookup({
  test: 'test',
  tests: 'test',
  e2e: 'test',
  lint: 'lint',
  typecheck: 'build',
})
export const UNKNOWN_PATH_VERBS = words('check verify')

/** Commands that neither run nor report checks. */
export const READ_ONLY =
  words(`cat head tail less more grep egrep fgrep zgrep rg ag ack sed awk gawk ls find fd git gh glab diff jq yq curl wget echo printf env
  sleep cd pwd test [ true false : export set unset source . which type command wc sort uniq cut tr xargs tee date stat file tree du df ps pgrep
  kill pkill wait history man read seq basename dirname realpath readlink mkdir rm cp mv touch chmod bat batcat delta column nl tac hexdump xxd
  strings lsof top free uname whoami id printenv hostname journalctl dmesg systemctl exit return shift local declare sqlite3 psql mysql`)

/** Tools that do not verify, so that `psql test` is not a check. */
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
