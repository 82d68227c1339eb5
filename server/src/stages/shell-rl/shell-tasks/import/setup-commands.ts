import { parse, type PipelineNode, type Statement } from 'unbash'

/**
 * Splits a set-up string at `;` and `&&` if it consists only of simple commands and pipelines. Anything else (loops, functions,
 * here-documents, several lines, `&`) remains one command.
 */
export function setupCommandsOf(text: string): string[] {
  const trimmedText = text.trim()
  if (trimmedText === '') return []
  if (!/[;&]/.test(trimmedText) || /[\r\n]/.test(trimmedText)) return [trimmedText]
  try {
    const script = parse(trimmedText)
    if ((script.errors?.length ?? 0) > 0 || !script.commands.every(isPlain)) return [trimmedText]
    const parts = script.commands.flatMap(partsOf)
    return parts.length > 1 && isOnlyJoined(trimmedText, parts)
      ? parts.map(({ pos, end }) => trimmedText.slice(pos, end).trim())
      : [trimmedText]
  } catch (error) {
    if (error instanceof RangeError) return [trimmedText] // nested too deeply to parse
    throw error
  }
}

function isPlain({ command, background }: Statement): boolean {
  if (background) return false
  return (command.type === 'AndOr' ? command.commands : [command]).every(isSimple)
}

function isSimple(node: PipelineNode): boolean {
  if (node.type === 'Pipeline') return node.commands.every((inner) => inner.type === 'Command')
  return node.type === 'Command'
}

const partsOf = ({ command }: Statement): readonly { pos: number; end: number }[] =>
  command.type === 'AndOr' && command.operators.every((operator) => operator === '&&') ? command.commands : [command]

/** Whether only `;` and `&&` are between and after the parts. The parser silently skips comments and text that it cannot read. */
function isOnlyJoined(text: string, parts: readonly { pos: number; end: number }[]): boolean {
  const gaps = parts.map(({ end }, index) => text.slice(end, parts[index + 1]?.pos ?? text.length).trim())
  return gaps.every((gap, index) => gap === ';' || (index === gaps.length - 1 ? gap === '' : gap === '&&'))
}
