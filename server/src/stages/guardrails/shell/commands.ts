import { basename } from '#server/shell/posix-path.ts'
import { options, skipOptions } from '#server/shell/options.ts'
import { SSH_VALUES } from '#server/shell/prefixes.ts'
import { HOME, resolvePath } from '../paths.ts'
import { runCode } from './code.ts'
import { echoOutput, filterOutput, printfOutput, printedPath } from './filters.ts'
import { runFind } from './find.ts'
import { globMatches, hasGlob } from './glob.ts'
import type { Session } from './session.ts'
import { UNKNOWN_TEXT, literalText, isKnown, joinTexts, NO_TEXT, type Text, UNKNOWN, worstOrigin } from './text.ts'
import { ELEVATORS, JOINERS, prefixLength, SHELLS, STRING_OPTIONS, SCRIPT_VALUES, shellTextsIn } from './wrappers.ts'

/** A name given as a pattern (`/bin/r?`) counts as the first of these that it matches. */
const NAMED_BY_PATTERN = [
  'rm',
  'dd',
  'sh',
  'bash',
  'chmod',
  'chown',
  'shred',
  'find',
  'mv',
  'sudo',
  'curl',
  'wget',
  'python3',
  'perl',
  'mkfs.ext4',
]
const GNU_NAMES = /^g(?=(?:rm|dd|mv|chmod|chown|shred|find|xargs|timeout|env|base64)$)/
const SSH_OPTIONS = options(SSH_VALUES)
const XARGS_OPTIONS = options(`-a --arg-file -d --delimiter -E -I -J -R -L --max-lines -n --max-args -P --max-procs -s --max-chars
  --process-slot-var -S`)
const DOWNLOADERS = new Set('curl wget wget2 fetch aria2c http https lynx links w3m'.split(' '))
/** Commands that print nothing, or nothing that a shell could run. */
const SILENT = new Set(
  'rm mkdir rmdir mv touch chmod chown ln true false : exit return sleep wait kill umask shopt ulimit test [ install cd'.split(' '),
)
const DECLARATIONS = new Set('export declare local readonly typeset'.split(' '))

/** Follows one command and returns what it prints. */
export function runCommand(words: readonly Text[], input: Text, session: Session): Text {
  for (const { text } of words) session.charge(text.length)
  const [first, ...args] = words as [Text, ...Text[]]
  const alias = session.aliases.get(first.text)
  if (alias !== undefined) {
    session.aliases.delete(first.text) // an alias is not expanded in itself
    const output = session.runText(literalText(`${alias} "$@"`), input, args)
    session.aliases.set(first.text, alias)
    return output
  }
  if (session.hasFunction(first.text)) return session.callFunction(first.text, args, input)
  const name = nameOf(first)
  const plain = args.map(({ text }) => resolveLinks(text, session))
  session.reportAction({ kind: 'command', name, args: plain, origins: args.map(({ origin }) => origin) })
  const output = runNamed(name, first, args, plain, input, session)
  return output.text === UNKNOWN ? { ...output, text: `${UNKNOWN}\n` } : output
}

/** A folder, or its target if it is a symbolic link. */
function followLink(folder: string | null, { links }: Session): string | null {
  const target = links.get(folder ?? '')
  return target === '' ? '/' : (target ?? folder)
}

/** A path with the symbolic links among its folders resolved. */
function resolveLinks(word: string, { links, folder }: Session): string {
  if (links.size === 0 || word.startsWith('-')) return word
  const absolute = resolvePath(word, folder)
  for (const [link, target] of links) if (absolute?.startsWith(`${link}/`)) return target + absolute.slice(link.length)
  return word
}

/** The name without its folder; empty if it is unknown. */
function nameOf({ text }: Text): string {
  if (text.includes(UNKNOWN)) return ''
  const name = basename(text).replace(GNU_NAMES, '')
  if (/^(?:python|pypy)\d[\d.]*$/.test(name)) return 'python'
  return hasGlob(name) && name !== '[' ? (NAMED_BY_PATTERN.find((one) => globMatches(name, one)) ?? name) : name
}

/** `script [options] [file] [--] [command]`; without a command, a shell reads the input. */
function runScript(args: readonly Text[], input: Text, session: Session): Text {
  const plain = args.map(({ text }) => text)
  const file = skipOptions(plain, 0, SCRIPT_VALUES)
  const from = plain[file - 1] === '--' ? file : file + (plain[file + 1] === '--' ? 2 : 1)
  const command = args.slice(from)
  return inOwnSubshell('script', session, () =>
    command.length > 0 ? runCommand(command, input, session) : session.runText(input, NO_TEXT, []),
  )
}

function runNamed(name: string, first: Text, args: readonly Text[], plain: readonly string[], input: Text, session: Session): Text {
  const file = first.text.includes('/') ? session.readFile(first.text) : null
  if (file) return runFile(file, args, input, session)
  const words = [name, ...plain]
  if (SHELLS.has(name)) return runShell(args, input, session)
  if (Object.hasOwn(STRING_OPTIONS, name)) {
    const values = STRING_OPTIONS[name]!
    const texts = shellTextsIn(plain, values).flatMap(({ at, from }) => {
      const found = args[at]
      return found === undefined ? [] : [{ text: { ...found, text: found.text.slice(from) }, isWord: from === 0 }]
    })
    const outputs = texts.map(({ text }) => inOwnSubshell(name, session, () => session.runText(text, input, [])))
    // what looks like an option with its value may be part of the command behind it
    if (texts.some(({ isWord }) => isWord)) return joinTexts(outputs)
    if (name === 'sg' && args[1]) return session.runText(args[1], input, [])
    if (name === 'script' && texts.length === 0) return runScript(args, input, session)
    if (name === 'su') return inOwnSubshell(name, session, () => session.runText(input, NO_TEXT, []))
  }
  if (name === 'tmux') return NO_TEXT
  if (Object.hasOwn(JOINERS, name)) return session.runText(joinTexts(args.slice(skipOptions(words, 1, JOINERS[name]!) - 1), ' '), input)
  if (name === 'command' && /^-[vV]$/.test(plain[0] ?? '')) return literalText(`${plain[1] ?? ''}\n`)
  if (name === 'env') return runEnv(args, input, session)
  if (name === 'parallel' && plain.includes(':::')) {
    const at = plain.indexOf(':::')
    const command = args.slice((prefixLength(words.slice(0, at + 1), name) ?? 1) - 1, at)
    for (const argument of args.slice(at + 1)) runWith(command, [argument], '{}', input, session)
    return UNKNOWN_TEXT
  }
  const length = prefixLength(words, name)
  if (length !== null) {
    for (const word of plain.slice(0, length - 1)) assign(word, args, session)
    const command = args.slice(length - 1)
    return inOwnSubshell(name, session, () => {
      if (command.length > 0) return runCommand(command, input, session)
      return ELEVATORS.has(name) || name === 'chroot' || name === 'nsenter' || name === 'unshare'
        ? session.runText(input, NO_TEXT, [])
        : NO_TEXT
    })
  }
  if (name === 'xargs') return runXargs(args, input, session)
  if (name === 'find') return runFind(args, session, (command) => runCommand(command, NO_TEXT, session))
  return runBuiltin(name, args, plain, input, session) ?? runCode(name, args, input, session) ?? outputOf(name, plain, input, session)
}

const inOwnSubshell = <T>(name: string, session: Session, work: () => T): T =>
  session.inSubshell(() => (ELEVATORS.has(name) ? session.asElevated(work) : work()))

/** `bash -euc S`, `sh FILE`, `bash -s ARG`, or code from standard input. */
function runShell(args: readonly Text[], input: Text, session: Session): Text {
  let at = 0
  let [isString, isStdin] = [false, false]
  for (; at < args.length && /^[-+]./.test(args[at]!.text); at++) {
    const word = args[at]!.text
    if (word === '--') {
      at += 1
      break
    }
    if (!word.startsWith('--')) {
      isString ||= /^-\w*c/.test(word)
      isStdin ||= /^-\w*s/.test(word)
      if (/[oO]$/.test(word)) at += 1
    } else if (word === '--rcfile' || word === '--init-file') at += 1
  }
  const operands = args.slice(at)
  return session.inSubshell(() => {
    if (isString) {
      if (!operands[0]) return NO_TEXT
      return session.variables.preserving(['0'], () => {
        if (operands[1]) session.variables.set('0', [operands[1]], true)
        return session.runText(operands[0]!, input, operands.slice(2))
      })
    }
    if (!isStdin && operands[0] && operands[0].text !== '-' && operands[0].text !== '/dev/stdin') {
      const file = session.readFile(operands[0].text)
      return file ? runFile(file, operands.slice(1), input, session) : UNKNOWN_TEXT
    }
    return session.runText(input, NO_TEXT, isStdin ? operands : [])
  })
}

/** Follows a file that was written earlier in this command. */
function runFile(file: Text, args: readonly Text[], input: Text, session: Session): Text {
  const interpreter = /^#!\s*(?:\S*\/env\s+)?(?:\S*\/)?(\w+)/.exec(file.text)?.[1]
  if (interpreter && !SHELLS.has(interpreter)) return runCode(nameOf(literalText(interpreter)), [], file, session) ?? UNKNOWN_TEXT
  return session.inSubshell(() => session.runText(file, input, args))
}

/** `env -i A=b CMD`, `env -S 'CMD'`. */
function runEnv(args: readonly Text[], input: Text, session: Session): Text {
  const words = args.map(({ text }) => text)
  const splitOption = words.findIndex((word) => /^-\w*S|^--split-string/.test(word))
  if (splitOption >= 0) {
    const attached = words[splitOption]!.replace(/^-\w*S|^--split-string=?/, '')
    const [script, next] = attached ? [literalText(attached), splitOption + 1] : [args[splitOption + 1] ?? NO_TEXT, splitOption + 2]
    return session.runText({ ...script, text: `${script.text} "$@"` }, input, args.slice(next))
  }
  let at = skipOptions(words, 0, options('-u --unset -C --chdir -a --argv0'))
  if (words[at] === '-') at += 1
  while (/^[A-Za-z_]\w*=/.test(words[at] ?? '')) assign(words[at++]!, args, session)
  const run = () => (at < args.length ? runCommand(args.slice(at), input, session) : UNKNOWN_TEXT)
  const chdir = words.slice(0, at).findIndex((word) => /^-\w*C|^--chdir/.test(word))
  if (chdir < 0) return run()
  const folder = words[chdir]!.replace(/^-\w*C|^--chdir=?/, '') || (words[chdir + 1] ?? '')
  return session.inSubshell(() => {
    session.variables.set('PWD', [literalText(resolvePath(folder, session.folder) ?? '.')], true)
    return run()
  })
}

function assign(word: string, args: readonly Text[], session: Session): boolean {
  const match = /^([A-Za-z_]\w*)(\+?)=(.*)$/s.exec(word)
  if (!match) return false
  const origin = args.find(({ text }) => text === word)?.origin ?? 'command'
  session.variables.set(match[1]!, [{ text: match[3]!, origin }], session.isCertain && !match[2])
  return true
}

/** `xargs CMD`: the words of its input are appended, or replace the text named by `-I`. */
function runXargs(args: readonly Text[], input: Text, session: Session): Text {
  const words = args.map(({ text }) => text)
  const at = skipOptions(words, 0, XARGS_OPTIONS)
  const xargsOptions = words.slice(0, at)
  const markOption = xargsOptions.findIndex((word) => /^-[IJ]|^-i|^--replace/.test(word))
  const mark =
    markOption < 0
      ? null
      : xargsOptions[markOption]!.replace(/^-[IJi]|^--replace=?/, '') ||
        (xargsOptions[markOption]!.startsWith('-i') ? '{}' : (xargsOptions[markOption + 1] ?? '{}'))
  const values = (mark === null ? input.text.split(/[\s\0]+/) : input.text.split(/[\n\0]+/))
    .map((text) => text.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter(Boolean)
    .map((text): Text => ({ text, origin: input.origin }))
  if (!isKnown(input)) values.push({ text: UNKNOWN, origin: input.origin })
  const command = at < args.length ? args.slice(at) : [literalText('echo')]
  // followed with all values at once and with each value alone, because `-n` and `-L` set how many are used at a time
  if (values.length > 0 && (SHELLS.has(nameOf(command[0]!)) || xargsOptions.some((word) => /^-[nL]|^--max/.test(word))))
    for (const value of values) runWith(command, [value], mark, NO_TEXT, session)
  return runWith(command, values, mark, NO_TEXT, session)
}

function runWith(command: readonly Text[], values: readonly Text[], mark: string | null, input: Text, session: Session): Text {
  if (command.length === 0) return session.runText(joinTexts(values, '\n'), input)
  const hasMark = mark !== null && command.some(({ text }) => text.includes(mark))
  if (!hasMark) return runCommand([...command, ...values], input, session)
  return joinTexts(
    values.map((value) =>
      runCommand(
        command.map(({ text, origin }) =>
          text.includes(mark)
            ? { text: text.replaceAll(mark, () => value.text), origin: worstOrigin([origin, value.origin]) }
            : { text, origin },
        ),
        input,
        session,
      ),
    ),
  )
}

/** Follows a command that changes the shell or runs other commands; null for other names. */
function runBuiltin(name: string, args: readonly Text[], plain: readonly string[], input: Text, session: Session): Text | null {
  const { variables, isCertain } = session
  if (DECLARATIONS.has(name)) {
    for (const word of plain) assign(word, args, session)
    return NO_TEXT
  }
  switch (name) {
    case 'cd':
    case 'pushd': {
      const target = plain.find((word) => !/^-[LPen@]*$/.test(word) && word !== '--')
      const folder = plain.includes('-')
        ? null
        : target === undefined
          ? HOME
          : target.includes(UNKNOWN)
            ? null
            : resolvePath(target, session.folder)
      variables.set('PWD', [literalText(followLink(folder, session) ?? '.')], isCertain)
      return NO_TEXT
    }
    case 'popd':
      variables.set('PWD', [literalText('.')], isCertain)
      return NO_TEXT
    case 'pwd':
      return literalText(`${variables.get('PWD')[0]?.text ?? '.'}\n`)
    case 'set': {
      const at = plain.indexOf('--')
      const from = at >= 0 ? at + 1 : plain.findIndex((word) => !/^[-+]/.test(word))
      if (from >= 0 && (at >= 0 || !/^[-+]\w*o$/.test(plain[from - 1] ?? ''))) session.positional = args.slice(from)
      return NO_TEXT
    }
    case 'shift':
      session.positional = session.positional.slice(Number(plain[0] ?? 1) || 1)
      return NO_TEXT
    case 'unset':
      if (isCertain) for (const word of plain) variables.unset(word)
      return NO_TEXT
    case 'read':
    case 'mapfile':
    case 'readarray': {
      const names = plain.slice(skipOptions(plain, 0, options(name === 'read' ? '-d -n -N -p -t -u -i' : '-d -n -O -s -C -c -u')))
      const lines = isKnown(input) ? input.text.split('\n').filter((line) => line.trim() !== '') : []
      const list = lines.flatMap((line) => (names.length > 1 ? line.trim().split(/\s+/) : [line.trim()]))
      const values = (isKnown(input) ? list : [UNKNOWN]).map((text): Text => ({ text, origin: input.origin }))
      if (name !== 'read' || plain.some((word) => /^-\w*a/.test(word)))
        variables.setPossible(names.at(-1) ?? 'MAPFILE', [
          name === 'read' ? values.flatMap(({ text, origin }) => text.split(/\s+/).map((one) => ({ text: one, origin }))) : values,
        ])
      else
        for (const one of names.length > 0 ? names : ['REPLY'])
          variables.setPossible(
            one,
            values.map((value) => [value]),
          )
      return NO_TEXT
    }
    case 'alias':
      for (const word of plain) {
        const match = /^([^=]+)=(.*)$/s.exec(word)
        if (!match) continue
        session.aliases.set(match[1]!, match[2]!)
        session.inSubshell(() => session.runText(literalText(match[2]!), NO_TEXT, []))
      }
      return NO_TEXT
    case 'unalias':
      if (isCertain) for (const word of plain) session.aliases.delete(word)
      return NO_TEXT
    case 'source':
    case '.': {
      const file = plain[0] === '/dev/stdin' ? input : session.readFile(plain[0] ?? '')
      return file ? session.runText(file, NO_TEXT, args.length > 1 ? args.slice(1) : undefined) : NO_TEXT
    }
    case 'trap':
      return plain[0] && !plain[0].startsWith('-') ? session.runText(args[0]!, NO_TEXT) : NO_TEXT
    case 'printf': {
      const at = plain[0] === '-v' ? 2 : plain[0] === '--' ? 1 : 0
      const output = { text: printfOutput(plain[at] ?? '', plain.slice(at + 1)), origin: worstOrigin(args.map(({ origin }) => origin)) }
      if (at < 2) return output
      variables.set(plain[1] ?? '', [output], isCertain)
      return NO_TEXT
    }
    case 'echo':
      return { text: echoOutput(plain), origin: worstOrigin(args.map(({ origin }) => origin)) }
    case 'at':
    case 'batch':
      return session.inSubshell(() => session.runText(input, NO_TEXT, []))
    case 'ssh': {
      const command = args.slice(skipOptions(plain, 0, SSH_OPTIONS) + 1)
      return session.inSubshell(() =>
        session.runText(command.length > 0 ? joinTexts(command, ' ') : input, command.length > 0 ? input : NO_TEXT, []),
      )
    }
    case 'sed':
      for (const line of plain.flatMap((word) => word.split('\n'))) {
        const script = /(?:^|[;{])[ \t\d$!]*e[ \t]+(.+)/.exec(line)?.[1]
        if (script !== undefined) session.inSubshell(() => session.runText(literalText(script), NO_TEXT, []))
      }
      return null
    case 'tar':
      for (const [index, word] of plain.entries()) {
        const option = /^--(?:checkpoint-action=exec|to-command|use-compress-program|info-script|rsh-command)=(.*)$/s.exec(word)?.[1]
        const script = option ?? (/^-\w*I$/.test(word) ? plain[index + 1] : undefined)
        if (script !== undefined) session.inSubshell(() => session.runText(literalText(script), NO_TEXT, []))
      }
      return null
    case 'git': {
      for (const word of plain) {
        const match = /^alias\.[^=]+=!(.*)$/s.exec(word)
        if (match) session.inSubshell(() => session.runText(literalText(match[1]!), NO_TEXT, []))
      }
      return null
    }
    default:
      return null
  }
}

/** What a program prints. Files that it writes are recorded. */
function outputOf(name: string, plain: readonly string[], input: Text, session: Session): Text {
  if (SILENT.has(name)) {
    const [from, to] = plain.filter((word) => !word.startsWith('-')).slice(-2)
    if (name === 'ln' && from !== undefined && to !== undefined) link(from, to, session)
    const moved = name === 'mv' || name === 'ln' ? session.readFile(from ?? '') : null
    if (moved && to !== undefined) session.recordFile(to, moved)
    return NO_TEXT
  }
  if (DOWNLOADERS.has(name)) return downloadOutput(name, plain, session)
  const operands = plain.filter((word) => !/^-./.test(word))
  if (name === 'cat' || name === 'bat') {
    if (operands.length === 0) return input
    return joinTexts(operands.map((word) => (word === '-' || word === '/dev/stdin' ? input : (session.readFile(word) ?? UNKNOWN_TEXT))))
  }
  if (name === 'tee') {
    for (const file of operands) session.recordFile(file, input)
    return input
  }
  if (name === 'cp') {
    const [from, to] = operands.slice(-2)
    const copied = session.readFile(from ?? '')
    if (copied && to !== undefined) session.recordFile(to, copied)
    return NO_TEXT
  }
  if (name === 'dd') {
    const to = plain.find((word) => word.startsWith('of='))
    const from = plain.find((word) => word.startsWith('if='))
    const text = from ? (session.readFile(from.slice(3)) ?? UNKNOWN_TEXT) : input
    if (to) session.recordFile(to.slice(3), text)
    return to ? NO_TEXT : text
  }
  if (name === 'ls') {
    if (operands.length === 0) return literalText('*\n')
    return plain.some((word) => /^-\w*d/.test(word)) ? literalText(`${operands.join('\n')}\n`) : UNKNOWN_TEXT
  }
  const printed = printedPath(name, plain)
  if (printed !== null) return literalText(printed)
  const files = operands.map((word) => session.readFile(word)).filter((file) => file !== null)
  return filterOutput(name, plain, files.length > 0 && input.text === '' ? joinTexts(files) : input)
}

function link(from: string, to: string, { folder, links }: Session): void {
  const [target, linkPath] = [resolvePath(from, folder), resolvePath(to, folder)]
  if (target === null || linkPath === null || from.includes(UNKNOWN) || to.includes(UNKNOWN)) return
  links.set(linkPath, target === '/' ? '' : target)
  if (target !== '/') links.set(`${linkPath}/${basename(target)}`, target) // if `to` is a folder
}

function downloadOutput(name: string, plain: readonly string[], session: Session): Text {
  const optionValue = (pattern: RegExp) => {
    const at = plain.findIndex((word) => pattern.test(word))
    return at < 0 ? null : (/=(.+)$/.exec(plain[at]!)?.[1] ?? plain[at + 1] ?? null)
  }
  const address = plain.findLast((word) => !word.startsWith('-') && /[/.]/.test(word))
  const base = basename(address?.replace(/[?#].*$/, '') ?? '')
  const isCurl = name === 'curl'
  const file = optionValue(isCurl ? /^-\w*o$|^--output(?:=|$)/ : /^-\w*O$|^--output-document(?:=|$)|^-o$/)
  const out: Text = { text: UNKNOWN, origin: 'download' }
  if (file === '-' || file === '/dev/stdout' || plain.some((word) => /^-\w*O-$/.test(word))) return out
  if (file !== null) session.recordFile(file, out)
  else if (isCurl ? plain.some((word) => /^-\w*O/.test(word) || word === '--remote-name') : /^wget|aria2c/.test(name))
    session.recordFile(base, out)
  else return out
  return NO_TEXT
}
