/** The code blocks of an answer. A fence that never closes goes to the end. */
export function fencedIn(text: string): string[] {
  const blocks: string[] = []
  let open: string[] | null = null
  for (const line of text.split('\n')) {
    const isFence = line.trimStart().startsWith('```')
    if (open === null) {
      if (isFence) open = []
    } else if (isFence) {
      blocks.push(open.join('\n'))
      open = null
    } else open.push(line)
  }
  if (open !== null) blocks.push(open.join('\n'))
  return blocks
}

/** The block that defines `name`, else the first, else the whole text. */
export function codeIn(text: string, name: string | null): string {
  const blocks = fencedIn(text)
  return (name === null ? undefined : blocks.find((block) => defines(block, name))) ?? blocks[0] ?? text
}

export const defines = (code: string, name: string): boolean =>
  code.split('\n').some(
    (line) =>
      /^\s*(?:async\s+)?def\s/.test(line) &&
      line
        .slice(line.indexOf('def') + 3)
        .trimStart()
        .startsWith(`${name}(`),
  )

/** Indents a body that was written without indentation. */
export function asBody(code: string): string {
  const first = code.split('\n').find((line) => line.trim() !== '')
  if (first === undefined || /^\s/.test(first)) return code
  return code
    .split('\n')
    .map((line) => (line.trim() === '' ? line : `    ${line}`))
    .join('\n')
}

// prettier-ignore
const SUSPICIOUS = ['__eq__', '_getframe', '_exit', 'get_objects', 'settrace', 'setprofile', '__traceback__', 'exc_info', 'tb_frame', 'f_back', 'f_locals', 'f_globals', 'gi_frame', 'cr_frame', 'currentframe', 'os.exec', 'ctypes'] as const
/** What a right answer touches although its check relies on it; null if nothing. */
export const suspicionOf = (code: string): string | null => SUSPICIOUS.find((word) => code.includes(word)) ?? null
