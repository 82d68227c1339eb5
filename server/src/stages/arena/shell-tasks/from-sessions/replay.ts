import path from 'node:path'
import { shellWord } from '#server/adapters/tools/shell-words.ts'
import { options, positionals } from '#server/shell/options.ts'
import { type Action, changesFiles } from './calls.ts'
import { BASE, createTree, type Node, type Tree } from './tree.ts'
import { Unfit } from './unfit.ts'

export interface Replayed {
  tree: Tree
  /** What was done, from the base on. */
  solution: string[]
  /** Commands that changed something. */
  changes: number
}

/** Actions of a call, and where in the base it began. */
export interface Begun {
  at: string
  actions: readonly Action[]
}

/** Follows what commands do to files. Throws `Unfit` if the effect is not known. */
export function replay(calls: readonly Begun[]): Replayed {
  const tree = createTree()
  const solution: string[] = []
  let changes = 0
  let cwd = ''
  const go = (to: string) => {
    if (to === cwd) return
    tree.folder(to)
    solution.push(`cd ${shellWord(to)}`)
    cwd = to
  }
  for (const { at, actions } of calls) {
    go(path.posix.join(BASE, at))
    for (const action of actions) {
      if (action.program === 'cd') {
        const [to, ...more] = action.args
        if (to === undefined || to === '-' || more.length > 0) throw new Unfit('It goes back to a folder that the session does not tell.')
        go(placed(cwd, to))
      } else if (changesFiles(action)) {
        apply(tree, cwd, action)
        solution.push(action.given === null ? action.source : hereDocument(action, action.given))
        changes += 1
      }
    }
  }
  return { tree, solution, changes }
}

function hereDocument({ to }: Action, text: string): string {
  let end = 'EOF'
  while (text.split('\n').includes(end)) end += '_'
  return `cat ${to!.isAdded ? '>>' : '>'} ${shellWord(to!.path)} <<'${end}'\n${text}${end}`
}

/** A path of a sandbox: in the base or below /tmp. */
function placed(cwd: string, word: string): string {
  if (word === '') throw new Unfit('It names an empty path.')
  const at = path.posix.resolve(cwd, word)
  const isInside = path.posix.isAbsolute(word) ? at.startsWith('/tmp/') : at === BASE || at.startsWith(`${BASE}/`) || at.startsWith('/tmp/')
  if (!isInside) throw new Unfit(`It works outside its folder, at ${word}.`)
  return at
}

const flagsOf = (args: readonly string[], known: RegExp, program: string): string => {
  const flags = args
    .filter((arg) => arg.startsWith('-') && arg !== '-' && arg !== '--')
    .map((arg) => arg.replace(/^--?/, (dashes) => (dashes === '--' ? '--' : '')))
  const strange = flags.find((flag) => !known.test(flag))
  if (strange !== undefined) throw new Unfit(`It uses ${program} with an option whose effect is not followed (${strange}).`)
  return flags.map((flag) => LONG.get(flag) ?? flag).join('')
}
const LONG = new Map([
  ['--parents', 'p'],
  ['--recursive', 'r'],
  ['--force', 'f'],
  ['--verbose', 'v'],
  ['--symbolic', 's'],
])

function apply(tree: Tree, cwd: string, action: Action): void {
  const { program, args, to } = action
  const paths = (values = '') => positionals(args, options(values)).map((word) => placed(cwd, word))
  if (to !== null) return write(tree, placed(cwd, to.path), to.isAdded, written(action))
  if (program === 'mkdir') {
    const flags = flagsOf(args, /^(?:[pv]+|--parents|--verbose)$/, program)
    for (const at of paths()) {
      if (flags.includes('p')) tree.makeFolders(at)
      else if (tree.now.has(at)) throw new Unfit(`It makes ${at}, which was there.`)
      else tree.set(at, { kind: 'folder', mode: null })
    }
  } else if (program === 'touch') {
    flagsOf(args, /^(?:|--)$/, program)
    for (const at of paths()) if (!tree.now.has(at)) tree.set(at, { kind: 'file', mode: null, text: '', of: null })
  } else if (program === 'rm' || program === 'rmdir') {
    const flags = flagsOf(args, /^(?:[rRfv]+|--recursive|--force|--verbose)?$/, program)
    for (const at of paths()) {
      if (at === BASE) throw new Unfit('It removes the folder that it works in.')
      if (program === 'rmdir') tree.folder(at)
      else tree.existing(at, /r/i.test(flags))
      tree.remove(at)
    }
  } else if (program === 'mv' || program === 'cp') moveOrCopy(tree, cwd, action)
  else if (program === 'ln') {
    const flags = flagsOf(args, /^(?:[sfnv]+|--symbolic|--force|--verbose)$/, program)
    const [target, name, ...more] = positionals(args, options(''))
    if (!flags.includes('s') || target === undefined || name === undefined || more.length > 0)
      throw new Unfit('It makes a link in a way that is not followed.')
    const at = placed(cwd, name)
    if (tree.now.get(at)?.kind === 'folder' || name.endsWith('/')) throw new Unfit('It makes a link in a way that is not followed.')
    tree.set(at, { kind: 'link', mode: null, target })
  } else if (program === 'chmod') changeMode(tree, cwd, args)
  else if (program === 'tar') pack(tree, cwd, args)
  else if (program === 'gzip') {
    const flags = flagsOf(args, /^[kf9v]+$/, program)
    for (const at of paths()) {
      const node = tree.file(at)
      if (node.kind !== 'file') throw new Unfit(`It compresses ${at}, whose content is not followed.`)
      tree.set(`${at}.gz`, { ...node, kind: 'compressed' })
      if (!flags.includes('k')) tree.remove(at)
    }
  }
}

/** What a command prints that only prints what it is given. */
function written({ program, args, given }: Action): string {
  if (program === 'cat' && given !== null && (args.length === 0 || (args.length === 1 && args[0] === '-'))) return given
  if (program === 'echo' && given === null) {
    const isOneLine = args[0] === '-n'
    const words = isOneLine ? args.slice(1) : args
    if (/^-[neE]+$/.test(words[0] ?? '')) throw new Unfit('It uses echo with an option whose effect is not followed.')
    return words.join(' ') + (isOneLine ? '' : '\n')
  }
  if (program === 'printf' && given === null) {
    const [format = '', ...values] = args
    if (/%(?!s)|\\(?![n\\])/.test(format)) throw new Unfit('It uses printf with a format that is not followed.')
    const [first = '', ...others] = format
      .split('%s')
      .map((part) => part.replaceAll(/\\([n\\])/g, (_, letter: string) => (letter === 'n' ? '\n' : '\\')))
    const rest = [...values]
    const once = () => first + others.map((part) => (rest.shift() ?? '') + part).join('')
    const filled = [once()]
    // the format is used again until all values are
    while (others.length > 0 && rest.length > 0) filled.push(once())
    return filled.join('')
  }
  if (['true', ':'].includes(program)) return ''
  throw new Unfit(`It writes what ${program} prints, which depends on what was there.`)
}

function write(tree: Tree, at: string, isAdded: boolean, text: string): void {
  const known = isAdded ? tree.file(at) : tree.now.get(at)
  if (known !== undefined && known.kind !== 'file') throw new Unfit(`It writes to ${at}, which is no file that is followed.`)
  tree.set(at, {
    kind: 'file',
    mode: known?.mode ?? null,
    text: isAdded ? (known?.text ?? '') + text : text,
    of: isAdded ? (known?.of ?? null) : null,
  })
}

function moveOrCopy(tree: Tree, cwd: string, { program, args }: Action): void {
  const isMove = program === 'mv'
  const flags = flagsOf(args, isMove ? /^(?:[fv]+|--force|--verbose)$/ : /^(?:[rRafvp]+|--recursive|--force|--verbose)$/, program)
  const words = positionals(args, options(''))
  const last = words.pop()
  if (last === undefined || words.length === 0) throw new Unfit(`It uses ${program} in a way that is not followed.`)
  const target = placed(cwd, last)
  const sources = words.map((word) => placed(cwd, word))
  for (const at of sources) tree.existing(at, isMove || /[ra]/i.test(flags))
  const known = tree.now.get(target)
  const isInto =
    known === undefined
      ? last.endsWith('/') ||
        sources.length > 1 ||
        ['.', '..'].includes(last) ||
        (tree.looksLikeFile(sources[0]!) && !tree.looksLikeFile(target))
      : known.kind === 'folder'
  if (isInto) tree.folder(target)
  for (const at of sources) {
    const to = isInto ? path.posix.join(target, path.posix.basename(at)) : target
    if (to === at || to.startsWith(`${at}/`) || tree.now.get(to)?.kind === 'folder')
      throw new Unfit(`It uses ${program} in a way that is not followed.`)
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
    throw new Unfit('It changes permissions in a way that is not followed.')
  for (const word of words) {
    const at = placed(cwd, word)
    const node = tree.now.get(at) ?? tree.file(at)
    if (node.kind === 'link') throw new Unfit('It changes permissions through a link.')
    tree.set(at, { ...node, mode: modeAfter(mode, node.mode ?? (node.kind === 'folder' ? FOLDER_MODE : FILE_MODE)) })
  }
}

function modeAfter(mode: string, before: number): number {
  if (/^0?[0-7]{3}$/.test(mode)) return Number.parseInt(mode, 8)
  return mode.split(',').reduce((now, clause) => {
    const [, who = '', operator, letters = ''] = /^([ugoa]*)([-+=])([rwx]+)$/.exec(clause) ?? []
    if (operator === undefined) throw new Unfit(`It sets permissions that are not followed (${mode}).`)
    const bits = bitsOf(letters, BITS)
    // without who, what the usual mask lets through
    const reach = who === '' ? (operator === '=' ? 0o755 : 0o777) : bitsOf(who, WHO)
    const chosen = bits & (who === '' ? 0o755 : reach)
    if (operator === '+') return now | chosen
    return operator === '-' ? now & ~chosen : (now & ~reach) | chosen
  }, before)
}

function pack(tree: Tree, cwd: string, args: readonly string[]): void {
  const [given = '', archive, ...members] = args
  const flags = given.replace(/^-/, '')
  if (
    !/^[cvz]*c[vz]*f$/.test(flags) ||
    archive === undefined ||
    members.length === 0 ||
    members.some((one) => /^-|\.\.|^\/|^\.\/?$/.test(one))
  )
    throw new Unfit('It uses tar in a way that is not followed.')
  for (const member of members) tree.existing(placed(cwd, member), true)
  tree.set(placed(cwd, archive), {
    kind: 'archive',
    mode: null,
    members: members.map((one) => one.replace(/^\.\//, '').replace(/\/+$/, '')),
    isCompressed: flags.includes('z'),
  })
}
