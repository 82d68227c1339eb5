import type { Step } from '#contracts/entities/step.ts'
import type { GuardTaint } from '#contracts/entities/guardrail.ts'
import type { WordKind } from './words.ts'

/** What a tool read: a page, an answer of an MCP server, prose in a file, or other content of files. */
export interface Read {
  reach: GuardTaint['source'] | 'prose'
  /** The page, server or file. */
  from: string
}

const PROSE =
  /(?:^|\/)(?:readme|contributing|install|changelog|license|notice|authors|security|claude|agents)[^/]*$|\.(?:md|mdx|markdown|rst|txt|html?|adoc|org)$/i
const FETCHES = /(?:^|[\s;&|(])(?:curl|wget|lynx|w3m|http|https|gh|glab)\s/
const PRINTS = /^\s*(?:sudo\s+)?(?:cat|bat|less|more|head|tail|sed|awk|grep|rg|strings|jq|git\s+(?:log|show|diff|blame))\s+(.{1,2000})/s

const textIn = (input: unknown, name: string): string | null => {
  const value = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[name] : null
  return typeof value === 'string' && value !== '' ? value : null
}

/** What of somebody else a step read; null if its result is about this machine, or written by the session itself. */
export function readBy({ tool, input, file, command }: Step): Read | null {
  if (tool.startsWith('mcp__')) {
    const [, server = '', name = ''] = tool.split('__')
    return { reach: 'mcp', from: `${server} ${name}`.trim() }
  }
  if (/^web_?(?:fetch|search)/i.test(tool)) return { reach: 'web', from: textIn(input, 'url') ?? textIn(input, 'query') ?? tool }
  if (command !== null) {
    if (FETCHES.test(command))
      return { reach: 'web', from: /\bhttps?:\/\/[^\s"'`<>|;)]{3,300}/i.exec(command)?.[0] ?? firstLineOf(command) }
    const printed = PRINTS.exec(command)?.[1]
    if (printed === undefined) return null
    const name = printed.split(/\s+/).find((word) => PROSE.test(word))
    return { reach: name === undefined ? 'file' : 'prose', from: name ?? firstLineOf(command) }
  }
  if (/^(?:read|read_file|notebookread)$/i.test(tool)) {
    const name = file ?? textIn(input, 'file_path') ?? tool
    return { reach: PROSE.test(name) ? 'prose' : 'file', from: name }
  }
  if (/^grep|search_file_content$/i.test(tool)) return { reach: 'file', from: textIn(input, 'pattern') ?? tool }
  return null
}

const firstLineOf = (text: string) => text.trim().split('\n', 1)[0]!

/**
 * Whether such a word from there says something. Names of files and packages stand in every listing and manifest, so only
 * prose, pages and MCP servers bring them in, and the project's own files come from no MCP server.
 */
export function counts({ reach }: Read, kind: WordKind, text: string, cwd: string | null): boolean {
  if (kind === 'url' || kind === 'host') return true
  if (reach === 'file') return false
  if (kind !== 'file' || reach !== 'mcp') return true
  return /^[~/]/.test(text) && !(cwd !== null && text.startsWith(cwd))
}
