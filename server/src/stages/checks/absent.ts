/** What a failing test lacked for no fault of the work: a package that the project declares, or a service. Read from messages of programs. */
import type { MissingPart } from '#contracts/entities/check.ts'
import { lookup } from '#contracts/lookup.ts'
import { jsonOf } from '#server/adapters/tools/json.ts'
import type { ProjectFacts } from './facts.ts'

/** The packages that a project says it needs, and what is its own. */
export interface Declared {
  /** Names of npm packages. */
  npm: readonly string[]
  /** Names of Python distributions in one form; null if no file declares any, so each may be needed. */
  python: readonly string[] | null
  /** Names of the project's own Python modules and packages. */
  modules: readonly string[]
}

export const NOTHING_DECLARED: Declared = { npm: [], python: null, modules: [] }

const MAX_MANIFESTS = 60
const PYTHON_MANIFEST = /^(?:requirements[^/]*\.(?:txt|in)|pyproject\.toml|setup\.(?:py|cfg)|Pipfile|tox\.ini|environment\.ya?ml)$/
const NPM_FIELDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

export async function declaredOf({ files, read }: ProjectFacts): Promise<Declared> {
  const textsOf = async (isWanted: (name: string) => boolean) =>
    Promise.all(
      files
        .filter(isWanted)
        .slice(0, MAX_MANIFESTS)
        .map(async (name) => (await read(name)) ?? ''),
    )
  const last = (name: string) => name.slice(name.lastIndexOf('/') + 1)
  const packages = await textsOf((name) => last(name) === 'package.json')
  const python = await textsOf((name) => PYTHON_MANIFEST.test(last(name)) || /(?:^|\/)requirements\/[^/]+\.txt$/.test(name))
  const modules = files.filter((name) => name.endsWith('.py')).flatMap((name) => name.slice(0, -'.py'.length).split('/'))
  return {
    npm: [...new Set(packages.flatMap(npmNames))],
    python: python.length === 0 ? null : [...new Set(python.flatMap(pythonNames))],
    modules: [...new Set(modules)],
  }
}

function npmNames(text: string): string[] {
  const fields = (jsonOf(text) ?? {}) as Record<string, unknown>
  return NPM_FIELDS.flatMap((field) => (typeof fields[field] === 'object' && fields[field] !== null ? Object.keys(fields[field]) : []))
}

/** Whatever has the form of a distribution's name at the begin of a line or of a text in quotes: a manifest has several forms. */
const pythonNames = (text: string): string[] =>
  [...text.matchAll(/(?:^[ \t]*(?:- )?|["'])([A-Za-z][\w.-]*)/gm)].map((match) => normalized(match[1]!))

const normalized = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-')

/** Distributions whose modules have another name. */
const DISTRIBUTIONS: Readonly<Record<string, readonly string[]>> = lookup({
  yaml: ['pyyaml'],
  cv2: ['opencv-python', 'opencv-python-headless'],
  pil: ['pillow'],
  sklearn: ['scikit-learn'],
  skimage: ['scikit-image'],
  bs4: ['beautifulsoup4'],
  dateutil: ['python-dateutil'],
  dotenv: ['python-dotenv'],
  attr: ['attrs'],
  jwt: ['pyjwt'],
  git: ['gitpython'],
  serial: ['pyserial'],
  psycopg2: ['psycopg2-binary'],
  mysqldb: ['mysqlclient'],
  google: ['protobuf'],
  crypto: ['pycryptodome'],
  openssl: ['pyopenssl'],
  docx: ['python-docx'],
  magic: ['python-magic'],
  usb: ['pyusb'],
})
/** Test runners and what they load, which many projects use without declaring them. */
const TOOLS = /^(?:pytest|_pytest|nose|hypothesis|xdist|vitest|jest|mocha|ts-node|tsx|ts-jest|@?babel|@vitest|@jest)(?:$|[-_/])/

const NPM_MISSING =
  /(?:Cannot find (?:module|package)|Could not resolve|Failed to resolve import|Cannot resolve module|Failed to load url|preset|Module) ["']([^"'\n]+)["'](?! in [^\n]*node_modules)/g
/** What a shell says of a command that it does not have. */
const COMMAND_MISSING = /^(?:\/(?:usr\/)?bin\/)?(?:sh|bash|dash|zsh): (?:(?:line )?\d+: )?([@\w./-]+): (?:command )?not found$/m
const PYTHON_TOOLS = /^(?:pytest|py\.test|nose|hypothesis|tox|nox)/
const PYTHON_MISSING = /No module named ["']?([\w.]+)/g
const DOWNLOADS: readonly [text: RegExp, what: string, advice: string][] = [
  [
    /(?:proxy\.golang\.org|sum\.golang\.org|module lookup disabled by GO(?:FLAGS|PROXY)|file:\/\/\S*\/cache\/download\S*: no such file|dial tcp: lookup )/,
    'A module of Go',
    'Run `go mod download`',
  ],
  [
    /failed to download|but --offline was specified|index\.crates\.io|static\.crates\.io|no matching package named|failed to (?:load|get) .* as a dependency|unable to update registry/i,
    'A crate',
    'Run `cargo fetch`',
  ],
]

/** Connections that no program of the sandbox answers. */
const REFUSED =
  /ECONNREFUSED|EAI_AGAIN|ENOTFOUND|ENETUNREACH|[Cc]onnection refused|could not connect to server|Name or service not known|Temporary failure in name resolution|Network is unreachable|fetch failed|Cannot connect to the Docker daemon/
const REFUSED_AT =
  /(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|connect to|connection to server at|dial tcp:?(?: lookup)?|host=)[ \t]*\(?["']?([\w.:[\]-]*[\w\]])(?:["']? (?:\([\d.:]+\), )?port (\d+))?/

const BY_NPM = 'is not installed. Run `npm install` in the project'
const IN_VENV = "is not installed. Install it in the project's virtual environment (.venv)"

/** Something outside of the sandbox that a text says was not reached; null if it says nothing of the kind. */
function refusedConnection(text: string): MissingPart | null {
  if (!REFUSED.test(text)) return null
  const [, address, port] = REFUSED_AT.exec(text) ?? []
  return {
    file: address === undefined ? 'a service' : port === undefined ? address : `${address}:${port}`,
    kind: 'service',
    reason: 'a test tried to connect to it; the sandbox has no network',
  }
}

/** What a message says was not there although the project declares it, or although it is no part of the project; null if nothing of the kind. */
export function absentIn(message: string, { npm, python, modules }: Declared): MissingPart | null {
  for (const [text, what, advice] of DOWNLOADS)
    if (text.test(message)) return { file: what, kind: 'package', reason: `is not downloaded, and the sandbox has no network. ${advice}` }
  const command = COMMAND_MISSING.exec(message)?.[1]
  if (command !== undefined && (npm.includes(command) || TOOLS.test(command)))
    return { file: command, kind: 'package', reason: PYTHON_TOOLS.test(command) ? IN_VENV : BY_NPM }
  for (const [, specifier] of message.matchAll(NPM_MISSING)) {
    const name = /^(?:@[\w.-]+\/)?[\w.-]+/.exec(specifier!)?.[0]
    if (name !== undefined && !specifier!.startsWith('.') && (npm.includes(name) || TOOLS.test(name)))
      return { file: name, kind: 'package', reason: BY_NPM }
  }
  for (const [, module] of message.matchAll(PYTHON_MISSING)) {
    const [name] = module!.split('.') as [string]
    const key = normalized(name)
    const isDeclared = python === null || [key, ...(DISTRIBUTIONS[key] ?? [])].some((one) => python.includes(one)) // prettier-ignore
    if (!modules.includes(name) && (isDeclared || TOOLS.test(name))) return { file: name, kind: 'package', reason: IN_VENV }
  }
  return refusedConnection(message)
}

/** A host on the internet, which nothing in the sandbox can stand for. */
const ELSEWHERE = /^(?!localhost|[\d.]+(?::|$)).*[\w-]\.[a-z]{2,}(?::\d+)?$/i

/** "left-pad is not installed. Run …, and check again." */
export const absenceSentence = ({ file, kind, reason }: MissingPart): string =>
  kind === 'service' && ELSEWHERE.test(file)
    ? `${file} was not reached: the sandbox has no network. Leave out what needs it.`
    : kind === 'service'
      ? `${file === 'a service' ? 'A service does not answer' : `Nothing answers at ${file}`}: the sandbox has no network and starts no services. Start it in the command of the checks, or leave out the tests that need it.`
      : `${file} ${reason}, and check again.`
