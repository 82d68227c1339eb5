import type { GuardTaint } from '#contracts/entities/guardrail.ts'

const KINDS: Record<GuardTaint['words'][number]['kind'], string> = {
  url: 'address',
  host: 'host',
  file: 'file',
  flag: 'option',
  package: 'package',
}

/** What the words of a line are: "address", or "host, file" for several. */
export const kindsOf = ({ words }: GuardTaint): string => [...new Set(words.map(({ kind }) => KINDS[kind]))].join(', ')

/** What a tool read: the page, the answer or the file. */
export const sourceOf = ({ source, tool, from }: GuardTaint): string =>
  source === 'mcp' ? `an answer of the MCP server ${from}` : source === 'web' ? `${from} (${tool})` : `the file ${from}`
