import { lookup } from '#contracts/lookup.ts'
import { options, skipOptions, type ValueOptions } from '#server/shell/options.ts'
import { PREFIXES, type Prefix } from '#server/shell/prefixes.ts'

/** Prefixes that run the command after them, in addition to `PREFIXES`. */
const GUARDRAIL_PREFIXES: Readonly<Record<string, Prefix>> = lookup({
  command: {},
  noglob: {},
  nocorrect: {},
  busybox: {},
  toybox: {},
  sudo: PREFIXES['sudo']!,
  pkexec: { values: '-u --user' },
  run0: { values: '-u --user' },
  gosu: { skip: 1 },
  runuser: { values: '-u --user -g --group -G --supp-group -s --shell -w --whitelist-environment' },
  'su-exec': { skip: 1 },
  setpriv: {},
  chroot: { skip: 1 },
  chrt: { skip: 1 },
  flock: { values: '-w --timeout -E --conflict-exit-code', skip: 1 },
  nsenter: { values: '-t --target -S --setuid -G --setgid' },
  unshare: { values: '-S --setuid -G --setgid -R --root -w --wd' },
  'systemd-run': { values: '-p --property -u --unit -t --slice --uid --gid -E --setenv --description -M --machine' },
  'systemd-inhibit': {},
  prlimit: {},
  proot: { values: '-r -b -w' },
  fakeroot: {},
  torsocks: {},
  proxychains: { values: '-f' },
  proxychains4: { values: '-f' },
  firejail: {},
  setarch: { skip: 1 },
  linux64: {},
  'dbus-run-session': {},
  'dbus-launch': {},
  rlwrap: {},
  catchsegv: {},
  perf: { skip: 1 },
  direnv: { skip: 2 },
  parallel: { values: '-j --jobs -n -N -I --colsep --joblog --results --timeout -S --sshlogin' },
})
const ALL_PREFIXES: Readonly<Record<string, Prefix>> = lookup({ ...PREFIXES, ...GUARDRAIL_PREFIXES })

/** Programs that pass one string to a shell, by the options that precede it. */
export const STRING_OPTIONS: Readonly<Record<string, ValueOptions>> = lookup({
  su: options('-c --command --session-command'),
  runuser: options('-c --command --session-command'),
  sg: options('-c'),
  script: options('-c --command'),
  flock: options('-c --command'),
  'nix-shell': options('--run --command'),
  npx: options('-c --call'),
  nodemon: options('-x --exec'),
  tmux: options('send-keys'),
})

/** Where such a text is among the words, and how many characters of its word are the option: `-c`, then the text; `-qcTEXT`; `--command=TEXT`. */
export function shellTextsIn(words: readonly string[], values: ValueOptions): { at: number; from: number }[] {
  return words.flatMap((word, index) => {
    const [given] = word.split('=', 1) as [string]
    const long = longOf(given, values)
    const letters = /^-[a-z]+/i.exec(word)?.[0].slice(1) ?? ''
    const letter = letters.split('').findIndex((one) => values.has(`-${one}`))
    if (values.has(longOf(word, values)) || (letter >= 0 && letter + 2 === word.length)) return [{ at: index + 1, from: 0 }]
    if (values.has(long)) return [{ at: index, from: given.length + 1 }]
    return letter >= 0 ? [{ at: index, from: letter + 2 }] : []
  })
}

/** A long option may be shortened as far as it stays the only one. */
const longOf = (word: string, values: ValueOptions): string =>
  /^--[a-z]{2,}/.test(word) && !word.includes('=') ? ([...values].find((one) => one.startsWith(word)) ?? word) : word

/** Options of `script` whose value is the next word. */
export const SCRIPT_VALUES = options('-E --echo -I --log-in -O --log-out -B --log-io -T --log-timing -m --logging-format -o --output-limit')

/** Programs that pass all words after these options to a shell. */
export const JOINERS: Readonly<Record<string, ValueOptions>> = lookup({
  eval: options(''),
  watch: options('-n --interval'),
  hyperfine: options('-w --warmup -r --runs -m --min-runs -M --max-runs -p --prepare -c --cleanup -n --command-name -S --shell'),
})

export const SHELLS = new Set('sh bash dash zsh ksh mksh ash fish rbash csh tcsh'.split(' '))
export const ELEVATORS = new Set('sudo doas pkexec run0 su runuser gosu su-exec'.split(' '))

const cache = new Map<string, ValueOptions>()

/** The number of words before the command that a prefix runs; null if `name` is no prefix. */
export function prefixLength(words: readonly string[], name: string): number | null {
  const prefix = ALL_PREFIXES[name]
  if (!prefix) return null
  const list = prefix.values ?? ''
  const values = cache.get(list) ?? options(list)
  cache.set(list, values)
  let at = skipOptions(words, 1, values) + (prefix.skip ?? 0)
  if (words[at] === '--') at += 1
  while (prefix.assignments && /^[A-Za-z_]\w*=/.test(words[at] ?? '')) at += 1
  return Math.min(at, words.length)
}
