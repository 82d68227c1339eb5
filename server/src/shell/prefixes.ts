import { lookup } from '#contracts/lookup.ts'

/** A program that runs the command after it. */
export interface Prefix {
  /** Options whose value is the next word. */
  values?: string
  /** How many words are between the options and the command. */
  skip?: number
  /** Whether assignments may precede the command. */
  assignments?: boolean
}
export const PREFIXES: Readonly<Record<string, Prefix>> = lookup({
  time: { values: '-f --format -o --output' },
  nohup: {},
  nice: { values: '-n --adjustment' },
  ionice: { values: '-c -n --class --classdata' },
  stdbuf: { values: '-i -o -e --input --output --error' },
  setsid: {},
  unbuffer: {},
  chronic: {},
  timeout: { values: '-k --kill-after -s --signal', skip: 1 },
  gtimeout: { values: '-k --kill-after -s --signal', skip: 1 },
  taskset: { skip: 1 },
  sudo: {
    values: `-u --user -g --group -p --prompt -C --close-from -r --role -t --type -T --command-timeout -U --other-user -D --chdir -R --chroot --host`,
    assignments: true,
  },
  doas: { values: '-u -C' },
  exec: { values: '-a' },
  builtin: {},
  'xvfb-run': { values: '-e --error-file -f --auth-file -n --server-num -p --xauth-protocol -s --server-args -w --wait' },
  caffeinate: { values: '-t -w' },
  'cross-env': { assignments: true },
  'cross-env-shell': { assignments: true },
  'env-cmd': { values: '-f --file -e --environments -r --rc-file' },
  dotenv: { values: '-e -v -p -c -f' },
  wsl: { values: '-d --distribution -u --user --cd' },
  winpty: {},
  strace: { values: '-o -e -p -s -u -E' },
  ltrace: { values: '-o -e -p -s -u' },
  valgrind: {},
  c8: { values: '-r --reporter -o --reports-dir --include -n --exclude -x --src --temp-directory' },
  nyc: { values: '-r --reporter --report-dir --include -n --exclude -x --temp-dir --require -i' },
  fvm: {},
  npx: { values: '-p --package -w --workspace --prefix --userconfig --cache --registry' },
  pnpx: { values: '-p --package' },
  bunx: { values: '-p --package --cwd --config --env-file' },
  uvx: { values: '--from --with -p --python --index-url --index' },
})

/** Options of `ssh` whose value is the next word. */
export const SSH_VALUES = '-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w'
