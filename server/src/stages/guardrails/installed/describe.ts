import { parse as parseYaml } from 'yaml'
import { LONGEST_PART } from '../excerpt.ts'

/** What a part may do, in words, and what its hash is made of. No value of a variable or header is in either. */
export interface Described {
  name: string
  description: string | null
  may: string[]
  /** Null: there is none, or it is damaged. */
  problem: string | null
}

const MOST = 50
const SECRET_NAME = /(?:key|token|secret|passw|auth|credential|cookie)/i

/** A header with its value in the words after it. */
const CUT_HEADER = /((?:^|[\s"'=])([\w-]{1,80}):)[ \t]+(?:(?:bearer|basic|digest|token)[ \t]+)?[^\s"']+/gi

type Fields = Record<string, unknown>
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
const entriesOf = (value: unknown): [string, unknown][] => Object.entries(fieldsOf(value)).slice(0, MOST)
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? shortOf(value.trim()) : null)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MOST) : [])
/** Longer than what is shown, because half of a secret is not found. */
export const shortOf = (text: string): string => (text.length > LONGEST_PART ? `${text.slice(0, LONGEST_PART - 1)}…` : text)

/** "a, b" or a list, as texts. */
const wordsOf = (value: unknown): string[] =>
  (typeof value === 'string' ? (value.match(/[^,(]{1,200}(?:\([^)]{0,300}\))?/g) ?? []) : listOf(value)).flatMap(
    (word) => textOf(word) ?? [],
  )

/** A command without the values that stand behind names of secrets. What else may be one is redacted later. */
export function maskedCommand(words: readonly string[]): string {
  const masked = words.map((word, index) => {
    const before = words[index - 1] ?? ''
    if (/^-{1,2}[\w-]+$/.test(before) && SECRET_NAME.test(before) && !word.startsWith('-')) return '***'
    const [, name = '', value] = /^([\w-]{1,80})=(.*)$/s.exec(word) ?? []
    if (value !== undefined && SECRET_NAME.test(name)) return `${name}=***`
    const [, start = '', header = ''] = /^((?:-{1,2}[\w-]{1,40}=)?["']?([\w-]{1,80}):)\s*\S/.exec(word) ?? []
    return SECRET_NAME.test(header) ? `${start} ***` : word
  })
  const text = masked
    .join(' ')
    .replace(CUT_HEADER, (all, start: string, header: string) => (SECRET_NAME.test(header) ? `${start} ***` : all))
  return shortOf(text)
}

/** An address without user, password and query. */
function plainAddress(text: string): string {
  try {
    const { protocol, host, pathname } = new URL(text)
    return `${protocol}//${host}${pathname}`
  } catch {
    return 'an address that cannot be read'
  }
}

/** The settings in front of a text: undefined if there are none, null if they are damaged. */
function settingsBefore(text: string): unknown {
  const front = /^---\r?\n([\s\S]{0,20000}?)\r?\n---/.exec(text)?.[1]
  try {
    return front === undefined ? undefined : parseYaml(front, { maxAliasCount: 20, logLevel: 'error' })
  } catch {
    return null
  }
}

/** A file with settings in front of its text: a skill, sub-agent or command. */
export function describeMarkdown(text: string, name: string): Described {
  const read = settingsBefore(text)
  const problem = read === null ? 'The settings in front of its text are not valid YAML.' : null
  const fields = fieldsOf(read)
  const tools = wordsOf(fields['allowed-tools'] ?? fields['tools'])
  const refused = wordsOf(fields['disallowedTools'] ?? fields['disallowed-tools'])
  const servers = fields['mcpServers']
  const runs = [...text.matchAll(/!`([^`\n]{1,300})`/g)].map(([, command]) => `runs when used: ${maskedCommand(command!.split(' '))}`)
  return {
    name: textOf(fields['name']) ?? name,
    description: textOf(fields['description']),
    may: [
      ...(tools.length > 0 ? [`tools: ${tools.join(', ')}`] : []),
      ...(refused.length > 0 ? [`not the tools: ${refused.join(', ')}`] : []),
      ...(textOf(fields['permissionMode']) ? [`permission mode: ${textOf(fields['permissionMode'])}`] : []),
      ...(servers === undefined
        ? []
        : [`MCP servers: ${(Array.isArray(servers) ? wordsOf(servers) : Object.keys(fieldsOf(servers))).join(', ')}`]),
      ...hooksIn(fields['hooks']).flatMap(({ may, name: event }) => may.map((one) => `${event}: ${one}`)),
      ...runs.slice(0, MOST),
    ].map(shortOf),
    problem,
  }
}

export interface DescribedHook extends Described {
  /** What its hash is made of. */
  content: string
}

/** Each handler of a `hooks` object. */
export function hooksIn(hooks: unknown): DescribedHook[] {
  return entriesOf(hooks).flatMap(([event, groups]) =>
    listOf(groups).flatMap((group) => {
      const { matcher, hooks: handlers } = fieldsOf(group)
      const name = textOf(matcher) === null ? event : `${event} ${textOf(matcher)}`
      return listOf(handlers).map((handler): DescribedHook => {
        const { type, command, args, url, prompt } = fieldsOf(handler)
        const words = [...(typeof command === 'string' ? command.split(' ') : []), ...listOf(args).filter((arg) => typeof arg === 'string')]
        const may =
          words.length > 0
            ? `runs: ${maskedCommand(words)}`
            : textOf(url) !== null
              ? `calls: ${plainAddress(url as string)}`
              : textOf(prompt) !== null
                ? 'asks a model'
                : `does: ${textOf(type) ?? 'unknown'}`
        return {
          name: shortOf(name),
          description: null,
          may: [may],
          problem: null,
          content: JSON.stringify([event, matcher, words, plainAddress(String(url)), prompt, type]),
        }
      })
    }),
  )
}

/** An MCP server. Of its variables and headers only the names are read. */
export function describeServer(name: string, server: unknown): DescribedHook {
  const { command, args, url, type, env, headers } = fieldsOf(server)
  const names = (value: unknown) => Object.keys(fieldsOf(value)).slice(0, MOST)
  const words = [...(typeof command === 'string' ? [command] : []), ...listOf(args).filter((arg) => typeof arg === 'string')]
  const isRead = words.length > 0 || typeof url === 'string'
  const may = [
    ...(words.length > 0 ? [`runs: ${maskedCommand(words)}`] : []),
    ...(typeof url === 'string' ? [`calls: ${plainAddress(url)}`] : []),
    ...(names(env).length > 0 ? [`gets the variables: ${names(env).join(', ')}`] : []),
    ...(names(headers).length > 0 ? [`sends the headers: ${names(headers).join(', ')}`] : []),
  ].map(shortOf)
  return {
    name: shortOf(name),
    description: null,
    may,
    problem: isRead ? null : 'It names neither a program nor an address.',
    content: JSON.stringify([
      maskedCommand(words),
      words.length,
      typeof url === 'string' ? plainAddress(url) : null,
      type,
      names(env),
      names(headers),
    ]),
  }
}
