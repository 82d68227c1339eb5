import path from 'node:path'
import { parse, type PipelineNode, type Statement } from 'unbash'
import { plain } from './words.ts'
import { UnfitError } from './unfit.ts'

/** Splits a `cd` into the project off the beginning of a call: returns the folder it works in and the rest of the command. */
export function splitLeadingCd(command: string, cwd: string | null, project: string | null): { command: string; cwd: string | null } {
  const leading = leadingFolder(command)
  if (leading === null || relativePath(leading.folder, project) === null) return { command, cwd }
  return { command: leading.rest, cwd: leading.folder }
}

/** The path of `at` relative to `folder`; null if it is outside. */
export function relativePath(at: string | null, folder: string | null): string | null {
  if (at === folder) return ''
  if (at === null || folder === null || !at.startsWith(`${folder}/`)) return null
  return at.slice(folder.length + 1)
}

function leadingFolder(text: string): { folder: string; rest: string } | null {
  if (!/^\s*cd\s/.test(text)) return null
  try {
    const [first, next] = parse(text).commands
    if (first === undefined || first.background === true) return null
    const { command } = first
    const [node, then] = command.type === 'AndOr' && command.operators[0] === '&&' ? command.commands : [command, next]
    const folder = node === undefined ? null : folderOf(node)
    return folder === null ? null : { folder, rest: then === undefined ? '' : text.slice(then.pos) }
  } catch (error) {
    if (error instanceof UnfitError || error instanceof RangeError) return null
    throw error
  }
}

function folderOf(node: PipelineNode | Statement['command']): string | null {
  if (node.type !== 'Command' || node.name?.text !== 'cd' || node.prefix.length > 0 || node.redirects.length > 0) return null
  const [to, ...otherArgs] = node.args
  if (to === undefined || to.type === 'Assignment' || otherArgs.length > 0) return null
  const folder = plain(to)
  return path.posix.isAbsolute(folder) ? path.posix.resolve(folder) : null
}
