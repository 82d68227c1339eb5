/** Characters that POSIX extended regular expressions read as operators. */
const OPERATORS = /[\\^$.|?*+()[\]{}]/g
export const escaped = (text: string): string => text.replaceAll(OPERATORS, String.raw`\$&`)
const CLASS = /\[([!^]?)(\]?[\w\s.,:;@#%&=+()|$*?{}'"!/-]*)\]/y
/** A name that begins with a dot is only found by a pattern that has the dot. */
const [NAME, FOLDERS] = ['([^/.][^/]*)?', '([^/.][^/]*/)*']

/**
 * A glob as a POSIX extended regular expression, for a program in the sandbox: matched in the app, a pattern of a model could
 * stop it for hours (`{a,b}` thirty times over is a billion patterns).
 */
export function regexOfGlob(glob: string): string {
  let out = ''
  let open = 0
  for (let at = 0; at < glob.length;) {
    const [length, made] = partAt(glob, at, open > 0)
    if (made === '(') open += 1
    if (made === ')') open -= 1
    out += made
    at += length
  }
  return out + ')'.repeat(open)
}

/** The length of the part of a glob at a place, and its expression. */
function partAt(glob: string, at: number, isInBraces: boolean): [length: number, made: string] {
  const char = glob.charAt(at)
  const isStart = at === 0 || '/{,'.includes(glob.charAt(at - 1))
  if (isStart && glob.startsWith('**/', at)) return [3, FOLDERS]
  if (isStart && glob.slice(at) === '**') return [2, FOLDERS + NAME]
  if (char === '*') return [1, isStart ? NAME : '[^/]*']
  if (char === '?') return [1, isStart ? '[^/.]' : '[^/]']
  if (char === '{' && glob.includes('}', at)) return [1, '(']
  if (isInBraces && char === '}') return [1, ')']
  if (isInBraces && char === ',') return [1, '|']
  if (char === '\\' && at + 1 < glob.length) return [2, escaped(glob.charAt(at + 1))]
  CLASS.lastIndex = at
  const [whole, not, list] = CLASS.exec(glob) ?? []
  return whole === undefined ? [1, escaped(char)] : [whole.length, `[${not === '' ? '' : '^'}${list}]`]
}
