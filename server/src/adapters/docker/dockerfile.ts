/**
 * Reads a Dockerfile into steps of which each is completely understood. The Engine never reads the file itself, only the lines made
 * here, so nothing in it can mean one thing to us and another to the Engine.
 */
import { lookup } from '#contracts/lookup.ts'

/** What a stage starts from or copies from: an earlier stage, by its number, or an image. */
export type Origin = { stage: number } | { image: string }

export type BuildStep =
  /** Runs a command: a line for the shell, or a program with its arguments. */
  | { kind: 'run'; command: string | string[] }
  /** Copies files of the context, or of another image; `line` lacks the word COPY and the option `--from`. */
  | { kind: 'copy'; from: Origin | null; line: string }
  /** Changes only settings. */
  | { kind: 'set'; line: string }

export interface BuildStage {
  /** Null for an empty image. */
  base: Origin | null
  steps: BuildStep[]
}

export interface BuildPlan {
  /** ARG lines before the first stage, whose values later ARG lines can take. */
  globals: string[]
  stages: BuildStage[]
}

/** `problem`: why it cannot be built here, as a sentence. */
export type ReadDockerfile = { plan: BuildPlan; images: string[]; problem: null } | { plan: null; images: []; problem: string }

const MAX_STEPS = 300
const SETTINGS = new Set(['CMD', 'ENTRYPOINT', 'ENV', 'EXPOSE', 'HEALTHCHECK', 'LABEL', 'MAINTAINER', 'SHELL', 'STOPSIGNAL', 'USER', 'VOLUME', 'WORKDIR']) // prettier-ignore
/** Control, format and separator characters that programs disagree about. */
const ODD_CHARACTER = /(?![ \t\n])[\p{Cc}\p{Cf}\p{Z}]/u
const IMAGE_NAME = /^[A-Za-z0-9][\w.:/@-]*$/
const STAGE_NAME = /^[a-z][\w.-]*$/
const OPTION = /^--([a-z]+)(?:=([\w.:/@-]+))?$/
const ARCHIVE = /\.(?:tar|t[abgx]z2?|gz|bz2|xz|zst)\b|[*?[\]]/i

/** The reason, as a sentence. */
class NotUnderstood extends Error {}

export function readDockerfile(text: string): ReadDockerfile {
  try {
    const plan = planOf(linesOf(text))
    const origins = plan.stages.flatMap(({ base, steps }) => [base, ...steps.map((step) => (step.kind === 'copy' ? step.from : null))])
    const images = new Set(origins.flatMap((origin) => (origin !== null && 'image' in origin ? [origin.image] : [])))
    return { plan, images: [...images], problem: null }
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error
    return { plan: null, images: [], problem: error.message }
  }
}

/** The name under which the Engine lists an image. */
export function listedName(image: string): string {
  const name = image.replace(/^(?:docker\.io|index\.docker\.io)\//, '').replace(/^library\//, '')
  return /[:@][^/]*$/.test(name) ? name : `${name}:latest`
}

/** Instructions, each on one line. */
function linesOf(dockerfile: string): string[] {
  const text = dockerfile.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  if (ODD_CHARACTER.test(text)) throw new NotUnderstood('It contains a control character or an unusual space.')
  if (/^\s*#\s*escape\s*=/im.test(text)) throw new NotUnderstood('It changes its escape character.')
  const lines: string[] = []
  let open: string | null = null
  for (const line of text.split('\n')) {
    if (/^\s*(?:#|$)/.test(line)) continue // comments and empty lines do not end an instruction
    const { 1: start, 2: slashes } = /^(.*?)(\\*)[ \t]*$/.exec(line)!
    if (slashes!.length > 1) throw new NotUnderstood(`It has a line that ends in several backslashes: "${line.trim()}".`)
    const whole: string = (open ?? '') + (slashes === '' ? line : start!)
    open = slashes === '' ? null : whole
    if (open === null) lines.push(whole.trim())
  }
  if (open !== null) throw new NotUnderstood('Its last line ends in a backslash.')
  const cut = lines.find((line) => line.endsWith('\\'))
  if (cut !== undefined) throw new NotUnderstood(`It has a line that ends in several backslashes: "${cut}".`)
  return lines
}

function planOf(lines: readonly string[]): BuildPlan {
  const plan: BuildPlan = { globals: [], stages: [] }
  const values = lookup<string>({})
  const names: string[] = []
  if (lines.length > MAX_STEPS) throw new NotUnderstood(`It has more than ${MAX_STEPS} instructions.`)
  for (const line of lines) {
    const { 1: first = '', 2: rest = '' } = /^([A-Za-z]+)(?:[ \t]+(.*))?$/.exec(line) ?? []
    const word = first.toUpperCase()
    const stage = plan.stages.at(-1)
    if (word === 'FROM') {
      const { base, name } = stageOf(line, rest, values, names)
      plan.stages.push({ base, steps: [] })
      names.push(name)
    } else if (word === 'ARG' && stage === undefined) {
      const [name = '', value] = rest.split(/=(.*)/s)
      if (value !== undefined) values[name] = value.replaceAll(/^["']|["']$/g, '')
      plan.globals.push(`ARG ${rest}`)
    } else if (stage === undefined) throw new NotUnderstood(`"${line}" is before the first FROM.`)
    else stage.steps.push(stepOf(line, { word, rest }, names))
  }
  if (plan.stages.length === 0) throw new NotUnderstood('It has no FROM.')
  return plan
}

function stageOf(line: string, rest: string, values: Readonly<Record<string, string>>, names: readonly string[]) {
  // the image that is on this machine is used, whatever platform is named
  const words = rest.replace(/^--platform=\S+[ \t]+/, '').split(/[ \t]+/)
  const [given = '', as, name] = words
  const image = withArguments(given, values)
  if (!IMAGE_NAME.test(image)) throw new NotUnderstood(`The image of "${line}" is not known before the build.`)
  const own = name?.toLowerCase() ?? ''
  if (words.length !== 1 && (words.length !== 3 || as!.toUpperCase() !== 'AS' || !STAGE_NAME.test(own) || names.includes(own)))
    throw new NotUnderstood(`"${line}" is not understood.`)
  return { base: image === 'scratch' ? null : originOf(image, names), name: own }
}

const originOf = (name: string, names: readonly string[]): Origin => {
  const stage = names.indexOf(name.toLowerCase())
  return stage === -1 ? { image: name } : { stage }
}

function stepOf(line: string, { word, rest }: { word: string; rest: string }, names: readonly string[]): BuildStep {
  switch (word) {
    case 'RUN': {
      if (rest.startsWith('--')) throw new NotUnderstood(`"${line}" uses an option of RUN, which only BuildKit knows.`)
      if (/(?:^|\s)\d*<<-?[^<\s]/.test(rest)) throw new NotUnderstood(`"${line}" begins a here-document, which only BuildKit knows.`)
      if (rest === '') throw new NotUnderstood('It has a RUN without a command.')
      return { kind: 'run', command: jsonWords(rest) ?? rest }
    }
    case 'COPY':
    case 'ADD':
      return copyOf(line, { word, rest }, names)
    case 'ARG':
      return { kind: 'set', line: `ARG ${rest}` }
    case 'ONBUILD':
      throw new NotUnderstood(`"${line}" would be carried out in another build.`)
    default:
      if (!SETTINGS.has(word)) throw new NotUnderstood(`"${line}" is not an instruction that is understood.`)
      return { kind: 'set', line: `${word} ${rest}` }
  }
}

/** ADD copies here, and nothing more: what it would download or unpack is refused. */
function copyOf(line: string, { word, rest }: { word: string; rest: string }, names: readonly string[]): BuildStep {
  const options: string[] = []
  let from: Origin | null = null
  let files = rest
  for (let next = ''; (next = /^--\S*/.exec(files)?.[0] ?? '') !== ''; files = files.slice(next.length).trimStart()) {
    const { 1: name, 2: value } = OPTION.exec(next) ?? []
    if (name === 'from' && word === 'COPY' && value !== undefined) {
      if (from !== null) throw new NotUnderstood(`"${line}" names two sources.`)
      if (/^\d+$/.test(value) && Number(value) >= names.length - 1)
        throw new NotUnderstood(`"${line}" names a stage that is not before it.`)
      from = /^\d+$/.test(value) ? { stage: Number(value) } : originOf(value, names.slice(0, -1))
    } else if (name === 'chown' && value !== undefined) options.push(next)
    else if (name !== 'link') throw new NotUnderstood(`"${line}" has an option that is not understood, or known only during the build.`)
  }
  const words = jsonWords(files) ?? files.split(/[ \t]+/)
  if (words.length < 2 || words.some((one) => one.includes('<<')))
    throw new NotUnderstood(`"${line}" is not understood: it needs files and a place for them.`)
  if (word === 'ADD' && words.slice(0, -1).some((one) => !/^[\w./@+,=~-]+$/.test(one) || /^(?:git@|github\.com)|\/\//.test(one)))
    throw new NotUnderstood(`"${line}" downloads, or may download, something.`)
  if (word === 'ADD' && words.slice(0, -1).some((one) => ARCHIVE.test(one)))
    throw new NotUnderstood(`"${line}" unpacks an archive. Copy it with COPY, and unpack it with RUN.`)
  return { kind: 'copy', from, line: [...options, files].join(' ') }
}

/** The words of a list in JSON; null if it is something else. */
function jsonWords(text: string): string[] | null {
  if (!text.startsWith('[')) return null
  try {
    const words: unknown = JSON.parse(text)
    return Array.isArray(words) && words.length > 0 && words.every((one) => typeof one === 'string') ? words : null
  } catch {
    return null
  }
}

const withArguments = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$(?:(\w+)|\{(\w+)(?::-([^}]*))?\})/g, (whole, plain?: string, braced?: string, fallback?: string) => {
    return values[plain ?? braced ?? ''] ?? fallback ?? whole
  })
