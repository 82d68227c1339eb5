import { isPlainHost } from './hosts.ts'

export type WordKind = 'url' | 'host' | 'file' | 'flag' | 'package'

/** A part of a command that says something about where the command comes from. Common words are none. */
export interface Word {
  kind: WordKind
  /** As it stands in the command. */
  text: string
  /** What is looked for in what a tool returned, in small letters. */
  needle: string
  /** If earlier text of the user or the model has one of these, the word is theirs. */
  own: readonly string[]
  /** What must stand in the same line, or it is only a coincidence. */
  beside: RegExp | null
}

const MOST_WORDS = 12
const LONGEST = 4_000
/** Programs that run the program after them. */
const WRAPPERS = new Set(['sudo', 'doas', 'env', 'nohup', 'time', 'command', 'exec', 'nice', 'xargs'])
const FILE_ENDINGS = new Set(
  'sh py js ts jsx tsx mjs cjs md mdx json jsonl yml yaml toml txt rs go java c h cc cpp hpp rb pl php zip gz tgz tar xz bz2 lock cfg conf ini env html css scss csv log sql db so exe bin pem key pub crt deb rpm whl jar swift kt vue svg png jpg pdf bak out tmp'.split(
    ' ',
  ),
)
const COMMON_FILES = new Set(
  'readme.md package.json package-lock.json tsconfig.json index.js index.ts main.py setup.py pyproject.toml requirements.txt dockerfile makefile .gitignore .git /usr/bin /usr/lib /usr/local /usr/local/bin /var/log /var/lib'.split(
    ' ',
  ),
)
const COMMON_FLAGS = new Set(
  '--force --recursive --verbose --version --silent --output --location --request --header --insecure --show-error --force-with-lease --set-upstream --interactive --install --upgrade --detach --volume --save-dev --no-cache --exclude --include --follow --delete --global --data-raw --data-binary --max-time --dry-run --no-edit --message --branch'.split(
    ' ',
  ),
)
const INSTALLS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...['npm', 'pnpm', 'yarn', 'bun'].map((name) => [name, ['install', 'i', 'add', 'exec', 'dlx']] as const),
  ...['pip', 'pip3', 'pipx', 'gem', 'brew', 'apt', 'apt-get', 'dnf', 'yum'].map((name) => [name, ['install', 'run']] as const),
  ['uv', ['install', 'add']],
  ['cargo', ['add', 'install']],
  ['go', ['get', 'install']],
  ['apk', ['add']],
  ['docker', ['run', 'pull']],
  ['npx', []],
  ['bunx', []],
  ['uvx', []],
])
const INSTALL_WORDS = /\b(?:install|add|npx|bunx|uvx|pull|require|requires|depends|package|dependency)\b/i

/** The words of a command that are worth looking for. */
export function wordsOf(command: string): Word[] {
  const found = new Map<string, Word>()
  const add = (word: Word) => found.has(word.needle) || found.set(word.needle, word)
  for (const segment of command.slice(0, LONGEST).split(/[|;&\n]+/)) {
    const tokens = segment.split(/[\s"'`()<>{}$,]+/).filter(Boolean)
    const program = programOf(tokens)
    for (const token of tokens) for (const word of [...placesOf(token), ...flagsOf(token, program)]) add(word)
    for (const word of packagesOf(tokens)) add(word)
  }
  // addresses are often cut at "&" above
  for (const [url] of command.slice(0, LONGEST).matchAll(/\b[a-z][a-z0-9+]{1,9}:\/\/[^\s"'`<>|;)]{3,500}/gi))
    for (const word of urlsOf(url)) add(word)
  return [...found.values()].slice(0, MOST_WORDS)
}

const plainName = (token: string) => token.split('/').at(-1)!.toLowerCase()

function programOf(tokens: readonly string[]): string | null {
  const first = tokens.find((token) => !token.includes('=') && !token.startsWith('-') && !WRAPPERS.has(plainName(token)))
  return first === undefined ? null : plainName(first)
}

function placesOf(token: string): Word[] {
  if (token.includes('://')) return []
  const value = token.replace(/^-{0,2}[\w-]{1,40}=/, '').replace(/^[@:]+/, '')
  const host = HOSTS_IN.map((pattern) => pattern.exec(value)?.[1]).find((name) => name !== undefined && isHostName(name))
  return [...(host === undefined ? filesOf(value) : hostsOf(host))]
}

/** `/dev/tcp/HOST/PORT`, `USER@HOST:PATH`, `HOST/PATH`. */
const HOSTS_IN = [/^\/dev\/(?:tcp|udp)\/([^/]+)/, /^(?:[\w.-]{1,100}@)?([\w.-]+):/, /^([\w.-]+)(?:\/\S*)?$/]

/** A name with dots whose end is no ending of a file, or an address. */
function isHostName(text: string): boolean {
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return true
  const labels = text.split('.')
  const end = labels.at(-1)!.toLowerCase()
  return (
    labels.length > 1 && labels.every((label) => /^[a-z0-9][a-z0-9-]*$/i.test(label)) && /^[a-z]{2,20}$/.test(end) && !FILE_ENDINGS.has(end)
  )
}

function* hostsOf(text: string): Generator<Word> {
  const host = text.toLowerCase().replace(/^www\./, '')
  if (isPlainHost(host)) return
  yield { kind: 'host', text, needle: host, own: [host], beside: null }
}

function* urlsOf(text: string): Generator<Word> {
  const url = text.replace(/[.,:!?\\]+$/, '')
  const parts = /^[a-z][a-z0-9+]+:\/\/(?:[^@/]*@)?([^/:?#]+)(?::\d+)?(\/[^?#]*)?/i.exec(url)
  if (!parts) return
  const [, host = '', path = ''] = parts
  if (host.includes('$')) return
  const bare = url
    .toLowerCase()
    .replace(/^[a-z0-9+]+:\/\//, '')
    .replace(/[/?#]+$/, '')
  if (path.length > 2 && !isPlainHost(host, 'local')) yield { kind: 'url', text: url, needle: bare, own: [bare], beside: null }
  yield* hostsOf(host)
}

function* filesOf(value: string): Generator<Word> {
  const file = value.replace(/[.,:;]+$/, '').replace(/^\.\//, '')
  if (file.length < 5 || !/^[~.]?[\w./@+-]+$/.test(file) || /^[\d.\-/+]+$/.test(file) || file.startsWith('-') || file.startsWith('/dev/'))
    return
  const segments = file.split('/').filter((part) => part !== '' && part !== '~' && part !== '..')
  const name = segments.at(-1)?.toLowerCase() ?? ''
  const ending = name.includes('.') ? name.split('.').at(-1)! : null
  const isFile = segments.length > 1 || (ending !== null && FILE_ENDINGS.has(ending)) || /^\.[a-z]/.test(name)
  if (!isFile || COMMON_FILES.has(file.toLowerCase()) || (segments.length < 2 && COMMON_FILES.has(name))) return
  const needle = file.toLowerCase()
  yield { kind: 'file', text: file, needle, own: name.length >= 5 ? [needle, name] : [needle], beside: null }
}

function* flagsOf(token: string, program: string | null): Generator<Word> {
  const flag = /^--[a-z][a-z0-9-]{5,60}/.exec(token)?.[0]
  if (flag === undefined || COMMON_FLAGS.has(flag) || program === null || !/^[a-z][\w.+-]*$/.test(program)) return
  yield {
    kind: 'flag',
    text: flag,
    needle: flag,
    own: [flag],
    beside: new RegExp(String.raw`\b${program.replaceAll(/[.+]/g, String.raw`\$&`)}\b`, 'i'),
  }
}

function* packagesOf(tokens: readonly string[]): Generator<Word> {
  const at = tokens.findIndex((token) => INSTALLS.has(plainName(token)))
  if (at < 0) return
  const verbs = INSTALLS.get(plainName(tokens[at]!))!
  const verb = verbs.length === 0 ? at : tokens.findIndex((token, index) => index > at && verbs.includes(token))
  if (verb < 0) return
  for (const token of tokens.slice(verb + 1)) {
    const name = token.replace(/(?<=.)(?:@|[=<>~!]=?).*$/, '')
    if (!/^@?[a-z][\w./-]{3,80}$/i.test(name) || token.includes('://')) continue
    const needle = name.toLowerCase()
    yield { kind: 'package', text: name, needle, own: [needle], beside: INSTALL_WORDS }
  }
}
