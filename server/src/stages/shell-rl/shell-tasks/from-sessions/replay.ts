import path from 'node:path'
import { shellWord } from '#server/adapters/tools/shell-words.ts'
import { options, positionals } from '#server/shell/options.ts'
import { type Action, changesFiles } from './calls.ts'
import { BASE, createTree, type Node, type Tree } from './tree.ts'
import { UnfitError } from './unfit.ts'

export interface Replayed {
  tree: Tree
  /** Commands that lead from the start to the end. */
  solution: string[]
  /** How many commands changed something. */
  changes: number
}

/** The actions of a call, and the folder below the base that it started in. */
export interface StartedCall {
  at: string
  actions: readonly Action[]
}

/** Computes what commands do to files. Throws `UnfitError` if an effect is not known. */
export function replay(calls: readonly StartedCall[]): Replayed {
  const tree = createTree()
  const solution: string[] = []
  let changes = 0
  let cwd = ''
  const changeFolder = (to: string) => {
    if (to === cwd) return
    tree.folder(to)
    solution.push(`cd ${shellWord(to)}`)
    cwd = to
  }
  for (const { at, actions } of calls) {
    changeFolder(path.posix.join(BASE, at))
    for (const action of actions) {
      if (action.program === 'cd') {
        const [to, ...otherArgs] = action.args
        if (to === undefined || to === '-' || otherArgs.length > 0)
          throw new UnfitError('It changes to a folder that the session does not show.')
        changeFolder(resolveInside(cwd, to))
      } else if (changesFiles(action)) {
        apply(tree, cwd, action)
        solution.push(action.input === null ? action.source : hereDocument(action, action.input))
        changes += 1
      }
    }
  }
  return { tree, solution, changes }
}

function hereDocument({ target }: Action, text: string): string {
  let end = 'EOF'
  while (text.split('\n').includes(end)) end += '_'
  return `cat ${target!.isAppended ? '>>' : '>'} ${shellWord(target!.path)} <<'${end}'\n${text}${end}`
}

/** Resolves a path, which must be in the base or below /tmp. */
function resolveInside(cwd: string, word: string): string {
  if (word === '') throw new UnfitError('It uses an empty path.')
  const at = path.posix.resolve(cwd, word)
  const isInside = path.posix.isAbsolute(word) ? at.startsWith('/tmp/') : at === BASE || at.startsWith(`${BASE}/`) || at.startsWith('/tmp/')
  if (!isInside) throw new UnfitError(`It works outside its folder, at ${word}.`)
  return at
}

const flagsOf = (args: readonly string[], supported: RegExp, program: string): string => {
  const flags = args
    .filter((arg) => arg.startsWith('-') && arg !== '-' && arg !== '--')
    .map((arg) => arg.replace(/^--?/, (dashes) => (dashes === '--' ? '--' : '')))
  const unsupported = flags.find((flag) => !supported.test(flag))
  if (unsupported !== undefined) throw new UnfitError(`It uses ${program} with an unsupported option (${unsupported}).`)
  return flags.map((flag) => LONG_FLAGS.get(flag) ?? flag).join('')
}
const LONG_FLAGS = new Map([
  ['--parents', 'p'],
  ['--recursive', 'r'],
  ['--force', 'f'],
  ['--verbose', 'v'],
  ['--symbolic', 's'],
])

function apply(tree: Tree, cwd: string, action: Action): void {
  const { program, args, target: output } = action
  const paths = (values = '') => positionals(args, options(values)).map((word) => resolveInside(cwd, word))
  if (output !== null) return write(tree, resolveInside(cwd, output.path), output.isAppended, printedText(action))
  if (program === 'mkdir') {
    const flags = flagsOf(args, /^(?:[pv]+|--parents|--verbose)$/, program)
    for (const at of paths()) {
      if (flags.includes('p')) tree.makeFolders(at)
      else if (tree.now.has(at)) throw new UnfitError(`It creates ${at}, which already exists.`)
      else tree.set(at, { kind: 'folder', mode: null })
    }
  } else if (program === 'touch') {
    flagsOf(args, /^(?:|--)$/, program)
    for (const at of paths()) if (!tree.now.has(at)) tree.set(at, { kind: 'file', mode: null, text: '', of: null })
  } else if (program === 'rm' || program === 'rmdir') {
    const flags = flagsOf(args, /^(?:[rRfv]+|--recursive|--force|--verbose)?$/, program)
    for (const at of paths()) {
      if (at === BASE) throw new UnfitError('It removes its own work folder.')
      if (program === 'rmdir') tree.folder(at)
      else tree.existing(at, /r/i.test(flags))
      tree.remove(at)
    }
  } else if (program === 'mv' || program === 'cp') moveOrCopy(tree, cwd, action)
  else if (program === 'ln') {
    const flags = flagsOf(args, /^(?:[sfnv]+|--symbolic|--force|--verbose)$/, program)
    const [target, name, ...otherArgs] = positionals(args, options(''))
    if (!flags.includes('s') || target === undefined || name === undefined || otherArgs.length > 0)
      throw new UnfitError('It creates a link in an unsupported way.')
    const at = resolveInside(cwd, name)
    if (tree.now.get(at)?.kind === 'folder' || name.endsWith('/')) throw new UnfitError('It creates a link in an unsupported way.')
    tree.set(at, { kind: 'link', mode: null, target })
  } else if (program === 'chmod') changeMode(tree, cwd, args)
  else if (program === 'tar') pack(tree, cwd, args)
  else if (program === 'gzip') {
    const flags = flagsOf(args, /^[kf9v]+$/, program)
    for (const at of paths()) {
      const node = tree.file(at)
      if (node.kind !== 'file') throw new UnfitError(`It compresses ${at}, whose content is not known.`)
      tree.set(`${at}.gz`, { ...node, kind: 'compressed' })
      if (!flags.includes('k')) tree.remove(at)
    }
  }
}

/** The output of a command that only prints its arguments or input. */
function printedText({ program, args, input }: Action): string {
  if (program === 'cat' && input !== null && (args.length === 0 || (args.length === 1 && args[0] === '-'))) return input
  if (program === 'echo' && input === null) {
    const isOneLine = args[0] === '-n'
    const words = isOneLine ? args.slice(1) : args
    if (/^-[neE]+$/.test(words[0] ?? '')) throw new UnfitError('It uses echo with an unsupported option.')
    return words.join(' ') + (isOneLine ? '' : '\n')
  }
  if (program === 'printf' && input === null) {
    const [format = '', ...values] = args
    if (/%(?!s)|\\(?![n\\])/.test(format)) throw new UnfitError('It uses printf with an unsupported format.')
    const [first = '', ...others] = format
      .split('%s')
      .map((part) => part.replaceAll(/\\([n\\])/g, (_, letter: string) => (letter === 'n' ? '\n' : '\\')))
    const remaining = [...values]
    const fillFormat = () => first + others.map((part) => (remaining.shift() ?? '') + part).join('')
    const filled = [fillFormat()]
    // printf repeats its format until all values are used
    while (others.length > 0 && remaining.length > 0) filled.push(fillFormat())
    return filled.join('')
  }
  if (['true', ':'].includes(program)) return ''
  throw new UnfitError(`It writes the output of ${program}, which depends on earlier files.`)
}

function write(tree: Tree, at: string, isAppended: boolean, text: string): void {
  const existing = isAppended ? tree.file(at) : tree.now.get(at)
  if (existing !== undefined && existing.kind !== 'file') throw new UnfitError(`It writes to ${at}, which is not a plain file.`)
  tree.set(at, {
    kind: 'file',
    mode: existing?.mode ?? null,
    text: isAppended ? (existing?.text ?? '') + text : text,
    of: isAppended ? (existing?.of ?? null) : null,
  })
}

function moveOrCopy(tree: Tree, cwd: string, { program, args }: Action): void {
  const isMove = program === 'mv'
  const flags = flagsOf(args, isMove ? /^(?:[fv]+|--force|--verbose)$/ : /^(?:[rRafvp]+|--recursive|--force|--verbose)$/, program)
  const words = positionals(args, options(''))
  const last = words.pop()
  if (last === undefined || words.length === 0) throw new UnfitError(`It uses ${program} in an unsupported way.`)
  const target = resolveInside(cwd, last)
  const sources = words.map((word) => resolveInside(cwd, word))
  for (const at of sources) tree.existing(at, isMove || /[ra]/i.test(flags))
  const existing = tree.now.get(target)
  const isIntoFolder =
    existing === undefined
      ? last.endsWith('/') ||
        sources.length > 1 ||
        ['.', '..'].includes(last) ||
        (tree.looksLikeFile(sources[0]!) && !tree.looksLikeFile(target))
      : existing.kind === 'folder'
  if (isIntoFolder) tree.folder(target)
  for (const at of sources) {
    const to = isIntoFolder ? path.posix.join(target, path.posix.basename(at)) : target
    if (to === at || to.startsWith(`${at}/`) || tree.now.get(to)?.kind === 'folder')
      throw new UnfitError(`It uses ${program} in an unsupported way.`)
    const parts = tree.under(at)
    if (isMove) tree.remove(at)
    for (const [one, node] of parts) tree.set(to + one.slice(at.length), isMove ? node : copyOf(node))
  }
}

const copyOf = (node: Node): Node => (node.kind === 'link' ? node : { ...node, mode: null })

const FILE_MODE = 0o644
const FOLDER_MODE = 0o755
const BITS = new Map([
  ['r', 0o444],
  ['w', 0o222],
  ['x', 0o111],
])
const WHO = new Map([
  ['u', 0o700],
  ['g', 0o070],
  ['o', 0o007],
  ['a', 0o777],
])
const bitsOf = (letters: string, of: ReadonlyMap<string, number>) => letters.split('').reduce((sum, letter) => sum | of.get(letter)!, 0)

function changeMode(tree: Tree, cwd: string, args: readonly string[]): void {
  const [mode, ...words] = args
  if (mode === undefined || words.length === 0 || words.some((word) => word.startsWith('-')))
    throw new UnfitError('It changes permissions in an unsupported way.')
  for (const word of words) {
    const at = resolveInside(cwd, word)
    const node = tree.now.get(at) ?? tree.file(at)
    if (node.kind === 'link') throw new UnfitError('It changes permissions through a link.')
    tree.set(at, { ...node, mode: modeAfter(mode, node.mode ?? (node.kind === 'folder' ? FOLDER_MODE : FILE_MODE)) })
  }
}

function modeAfter(mode: string, before: number): number {
  if (/^0?[0-7]{3}$/.test(mode)) return Number.parseInt(mode, 8)
  return mode.split(',').reduce((now, clause) => {
    const [, who = '', operator, letters = ''] = /^([ugoa]*)([-+=])([rwx]+)$/.exec(clause) ?? []
    if (operator === undefined) throw new UnfitError(`It sets unsupported permissions (${mode}).`)
    const bits = bitsOf(letters, BITS)
    // without `who`, the usual umask limits the bits
    const reach = who === '' ? (operator === '=' ? 0o755 : 0o777) : bitsOf(who, WHO)
    const chosen = bits & (who === '' ? 0o755 : reach)
    if (operator === '+') return now | chosen
    return operator === '-' ? now & ~chosen : (now & ~reach) | chosen
  }, before)
}

function pack(tree: Tree, cwd: string, args: readonly string[]): void {
  const [flagText = '', archive, ...members] = args
  const flags = flagText.replace(/^-/, '')
  if (
    !/^[cvz]*c[vz]*f$/.test(flags) ||
    archive === undefined ||
    members.length === 0 ||
    members.some((one) => /^-|\.\.|^\/|^\.\/?$/.test(one))
  )
    throw new UnfitError('It uses tar in an unsupported way.')
  for (const member of members) tree.existing(resolveInside(cwd, member), true)
  tree.set(resolveInside(cwd, archive), {
    kind: 'archive',
    mode: null,
    members: members.map((one) => one.replace(/^\.\//, '').replace(/\/+$/, '')),
    isCompressed: flags.includes('z'),
  })
}
