import { parse, type PipelineNode, type Statement } from 'unbash'

/**
 * The commands of a set-up string: a plain list of simple commands and pipelines, joined by `;` or `&&`, is taken apart; what
 * holds anything else (loops, functions, here-documents, several lines, `&`) stays one command.
 */
export function setupCommandsOf(text: string): string[] {
  const whole = text.trim()
  if (whole === '') return []
  if (!/[;&]/.test(whole) || /[\r\n]/.test(whole)) return [whole]
  try {
    const script = parse(whole)
    if ((script.errors?.length ?? 0) > 0 || !script.commands.every(isPlain)) return [whole]
    const parts = script.commands.flatMap(partsOf)
    return parts.length > 1 && isAll(whole, parts) ? parts.map(({ pos, end }) => whole.slice(pos, end).trim()) : [whole]
  } catch (error) {
    if (error instanceof RangeError) return [whole] // nested beyond the stack
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

/** Whether only `;` and `&&` are between and after the parts: the parser skips comments and what it cannot read. */
function isAll(text: string, parts: readonly { pos: number; end: number }[]): boolean {
  const gaps = parts.map(({ end }, index) => text.slice(end, parts[index + 1]?.pos ?? text.length).trim())
  return gaps.every((gap, index) => gap === ';' || (index === gaps.length - 1 ? gap === '' : gap === '&&'))
}
