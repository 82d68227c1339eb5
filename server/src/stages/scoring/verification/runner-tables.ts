import { lookup } from '#contracts/lookup.ts'
import { words } from './tables.ts'

export const SHELLS = words('bash sh zsh dash ksh fish')
/** Programs that run a file given to them. */
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
  /** Words between the tool and the command it runs; several words are joined by a space. */
  verbs: readonly string[]
  values?: string
  /** Number of words between the options and the command, such as an environment, a container or a folder. */
  skip?: number
  /** If the word after the verb is not a command, it is a task of the tool. */
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

/** Programs that run a string as shell text, with the options before the string. */
export const STRING_RUNNERS: Readonly<Record<string, string>> = lookup({
  su: '-c --command',
  script: '-c --command',
  'nix-shell': '--run --command',
})

/** Files that are a tool when an interpreter runs them. */
export const TOOL_FILES = words('phpunit pest artisan composer rails rake rspec manage.py behat codecept paratest phpstan psalm')

/** Code passed to `-e` or `-c` that runs tests. */
export const TEST_CODE = /\bPkg\.test\(|devtools::test\(|testthat::test_|\b(?:unittest\.main|pytest\.main|doctest\.testmod)\(/
