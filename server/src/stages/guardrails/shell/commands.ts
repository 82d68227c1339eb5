import path from 'node:path'
import { options, skipOptions } from '#server/shell/options.ts'
import { SSH_VALUES } from '#server/shell/prefixes.ts'
import { HOME, resolvePath } from '../paths.ts'
import { runCode } from './code.ts'
import { echoed, filtered, formatted, printedPath } from './filters.ts'
import { runFind } from './find.ts'
import { globMatches, hasGlob } from './glob.ts'
import type { Session } from './session.ts'
import { elsewhere, here, isKnown, joined, NOTHING, type Text, UNKNOWN, worst } from './text.ts'
import { ELEVATORS, JOINERS, prefixLength, SHELLS, STRING_OPTIONS } from './wrappers.ts'

/** What a name given as a pattern (`/bin/r?`) is taken for. */
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
/** Commands that print nothing, or nothing that could be run. */
const SILENT = new Set(
  'rm mkdir rmdir mv touch chmod chown ln true false : exit return sleep wait kill umask shopt ulimit test [ install cd'.split(' '),
)
const DECLARES = new Set('export declare local readonly typeset'.split(' '))

/** Follows one command with its words; what it prints. */
export function runCommand(words: readonly Text[], input: Text, session: Session): Text {
  for (const { text } of words) session.charge(text.length)
  const [first, ...args] = words as [Text, ...Text[]]
  const alias = session.aliases.get(first.text)
  if (alias !== undefined) {
    session.aliases.delete(first.text) // an alias is not expanded in itself
    const output = session.runText(here(`${alias} "$@"`), input, args)
    session.aliases.set(first.text, alias)
    return output
  }
  if (session.hasFunction(first.text)) return session.callFunction(first.text, args, input)
  const name = nameOf(first)
  const plain = args.map(({ text }) => throughLinks(text, session))
  session.reportAct({ kind: 'command', name, args: plain, origins: args.map(({ origin }) => origin) })
  const output = within(name, first, args, plain, input, session)
  return output.text === UNKNOWN ? { ...output, text: `${UNKNOWN}\n` } : output
}

/** A folder, or where it leads as a link. */
function followed(folder: string | null, { links }: Session): string | null {
  const target = links.get(folder ?? '')
  return target === '' ? '/' : (target ?? folder)
}

/** A path with the links in its folders followed. */
function throughLinks(word: string, { links, folder }: Session): string {
  if (links.size === 0 || word.startsWith('-')) return word
  const whole = resolvePath(word, folder)
  for (const [link, target] of links) if (whole?.startsWith(`${link}/`)) return target + whole.slice(link.length)
  return word
}

/** The name without its folder; empty if it is not known. */
function nameOf({ text }: Text): string {
  if (text.includes(UNKNOWN)) return ''
  const name = path.posix.basename(text).replace(GNU_NAMES, '')
  if (/^(?:python|pypy)\d[\d.]*$/.test(name)) return 'python'
  return hasGlob(name) && name !== '[' ? (NAMED_BY_PATTERN.find((one) => globMatches(name, one)) ?? name) : name
}

function within(name: string, first: Text, args: readonly Text[], plain: readonly string[], input: Text, session: Session): Text {
  const file = first.text.includes('/') ? session.readFile(first.text) : null
  if (file) return runFile(file, args, input, session)
  const words = [name, ...plain]
  if (SHELLS.has(name)) return shell(args, input, session)
  if (Object.hasOwn(STRING_OPTIONS, name)) {
    const values = STRING_OPTIONS[name]!
    const at = plain.findIndex((word) => values.has(word) || (/^-[a-z]+$/i.test(word) && values.has(`-${word.at(-1)}`)))
    if (at >= 0 && args[at + 1]) return asRoot(name, session, () => session.runText(args[at + 1]!, input, []))
    if (name === 'su') return asRoot(name, session, () => session.runText(input, NOTHING, []))
  }
  if (name === 'tmux') return NOTHING
  if (Object.hasOwn(JOINERS, name)) return session.runText(joined(args.slice(skipOptions(words, 1, JOINERS[name]!) - 1), ' '), input)
  if (name === 'command' && /^-[vV]$/.test(plain[0] ?? '')) return here(`${plain[1] ?? ''}\n`)
  if (name === 'env') return environment(args, input, session)
  if (name === 'parallel' && plain.includes(':::')) {
    const at = plain.indexOf(':::')
    const command = args.slice((prefixLength(words.slice(0, at + 1), name) ?? 1) - 1, at)
    for (const argument of args.slice(at + 1)) runWith(command, [argument], '{}', input, session)
    return elsewhere
  }
  const length = prefixLength(words, name)
  if (length !== null) {
    for (const word of plain.slice(0, length - 1)) assignment(word, args, session)
    const rest = args.slice(length - 1)
    return asRoot(name, session, () => {
      if (rest.length > 0) return runCommand(rest, input, session)
      return ELEVATORS.has(name) || name === 'chroot' || name === 'nsenter' || name === 'unshare'
        ? session.runText(input, NOTHING, [])
        : NOTHING
    })
  }
  if (name === 'xargs') return extended(args, input, session)
  if (name === 'find') return runFind(args, session, (command) => runCommand(command, NOTHING, session))
  return builtin(name, args, plain, input, session) ?? runCode(name, args, input, session) ?? printed(name, plain, input, session)
}

const asRoot = <T>(name: string, session: Session, work: () => T): T =>
  session.apart(() => (ELEVATORS.has(name) ? session.elevated(work) : work()))

/** `bash -euc S`, `sh FILE`, `bash -s ARG`, or code from standard input. */
function shell(args: readonly Text[], input: Text, session: Session): Text {
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
  const rest = args.slice(at)
  return session.apart(() => {
    if (isString) {
      if (!rest[0]) return NOTHING
      return session.variables.preserving(['0'], () => {
        if (rest[1]) session.variables.set('0', [rest[1]], true)
        return session.runText(rest[0]!, input, rest.slice(2))
      })
    }
    if (!isStdin && rest[0] && rest[0].text !== '-' && rest[0].text !== '/dev/stdin') {
      const file = session.readFile(rest[0].text)
      return file ? runFile(file, rest.slice(1), input, session) : elsewhere
    }
    return session.runText(input, NOTHING, isStdin ? rest : [])
  })
}

/** A file that this command wrote before. */
function runFile(file: Text, args: readonly Text[], input: Text, session: Session): Text {
  const interpreter = /^#!\s*(?:\S*\/env\s+)?(?:\S*\/)?(\w+)/.exec(file.text)?.[1]
  if (interpreter && !SHELLS.has(interpreter)) return runCode(nameOf(here(interpreter)), [], file, session) ?? elsewhere
  return session.apart(() => session.runText(file, input, args))
}

/** `env -i A=b CMD`, `env -S 'CMD'`. */
function environment(args: readonly Text[], input: Text, session: Session): Text {
  const words = args.map(({ text }) => text)
  const split = words.findIndex((word) => /^-\w*S|^--split-string/.test(word))
  if (split >= 0) {
    const attached = words[split]!.replace(/^-\w*S|^--split-string=?/, '')
    const [script, from] = attached ? [here(attached), split + 1] : [args[split + 1] ?? NOTHING, split + 2]
    return session.runText({ ...script, text: `${script.text} "$@"` }, input, args.slice(from))
  }
  let at = skipOptions(words, 0, options('-u --unset -C --chdir -a --argv0'))
  if (words[at] === '-') at += 1
  while (/^[A-Za-z_]\w*=/.test(words[at] ?? '')) assignment(words[at++]!, args, session)
  const run = () => (at < args.length ? runCommand(args.slice(at), input, session) : elsewhere)
  const chdir = words.slice(0, at).findIndex((word) => /^-\w*C|^--chdir/.test(word))
  if (chdir < 0) return run()
  const folder = words[chdir]!.replace(/^-\w*C|^--chdir=?/, '') || (words[chdir + 1] ?? '')
  return session.apart(() => {
    session.variables.set('PWD', [here(resolvePath(folder, session.folder) ?? '.')], true)
    return run()
  })
}

function assignment(word: string, args: readonly Text[], session: Session): boolean {
  const found = /^([A-Za-z_]\w*)(\+?)=(.*)$/s.exec(word)
  if (!found) return false
  const origin = args.find(({ text }) => text === word)?.origin ?? 'here'
  session.variables.set(found[1]!, [{ text: found[3]!, origin }], session.isCertain && !found[2])
  return true
}

/** `xargs CMD`: with the words of its input behind, or instead of the text that `-I` names. */
function extended(args: readonly Text[], input: Text, session: Session): Text {
  const words = args.map(({ text }) => text)
  const at = skipOptions(words, 0, XARGS_OPTIONS)
  const given = words.slice(0, at)
  const place = given.findIndex((word) => /^-[IJ]|^-i|^--replace/.test(word))
  const mark =
    place < 0
      ? null
      : given[place]!.replace(/^-[IJi]|^--replace=?/, '') || (given[place]!.startsWith('-i') ? '{}' : (given[place + 1] ?? '{}'))
  const values = (mark === null ? input.text.split(/[\s\0]+/) : input.text.split(/[\n\0]+/))
    .map((text) => text.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter(Boolean)
    .map((text): Text => ({ text, origin: input.origin }))
  if (!isKnown(input)) values.push({ text: UNKNOWN, origin: input.origin })
  const command = at < args.length ? args.slice(at) : [here('echo')]
  // all at once, and each alone: `-n` and `-L` decide how many there are
  if (values.length > 0 && (SHELLS.has(nameOf(command[0]!)) || given.some((word) => /^-[nL]|^--max/.test(word))))
    for (const value of values) runWith(command, [value], mark, NOTHING, session)
  return runWith(command, values, mark, NOTHING, session)
}

function runWith(command: readonly Text[], values: readonly Text[], mark: string | null, input: Text, session: Session): Text {
  if (command.length === 0) return session.runText(joined(values, '\n'), input)
  const hasMark = mark !== null && command.some(({ text }) => text.includes(mark))
  if (!hasMark) return runCommand([...command, ...values], input, session)
  return joined(
    values.map((value) =>
      runCommand(
        command.map(({ text, origin }) =>
          text.includes(mark) ? { text: text.replaceAll(mark, () => value.text), origin: worst([origin, value.origin]) } : { text, origin },
        ),
        input,
        session,
      ),
    ),
  )
}

/** What the shell itself does; null for a name that is not a builtin with an effect here. */
function builtin(name: string, args: readonly Text[], plain: readonly string[], input: Text, session: Session): Text | null {
  const { variables, isCertain } = session
  if (DECLARES.has(name)) {
    for (const word of plain) assignment(word, args, session)
    return NOTHING
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
      variables.set('PWD', [here(followed(folder, session) ?? '.')], isCertain)
      return NOTHING
    }
    case 'popd':
      variables.set('PWD', [here('.')], isCertain)
      return NOTHING
    case 'pwd':
      return here(`${variables.get('PWD')[0]?.text ?? '.'}\n`)
    case 'set': {
      const at = plain.indexOf('--')
      const from = at >= 0 ? at + 1 : plain.findIndex((word) => !/^[-+]/.test(word))
      if (from >= 0 && (at >= 0 || !/^[-+]\w*o$/.test(plain[from - 1] ?? ''))) session.positional = args.slice(from)
      return NOTHING
    }
    case 'shift':
      session.positional = session.positional.slice(Number(plain[0] ?? 1) || 1)
      return NOTHING
    case 'unset':
      if (isCertain) for (const word of plain) variables.unset(word)
      return NOTHING
    case 'read':
    case 'mapfile':
    case 'readarray': {
      const names = plain.slice(skipOptions(plain, 0, options(name === 'read' ? '-d -n -N -p -t -u -i' : '-d -n -O -s -C -c -u')))
      const lines = isKnown(input) ? input.text.split('\n').filter((line) => line.trim() !== '') : []
      const list = lines.flatMap((line) => (names.length > 1 ? line.trim().split(/\s+/) : [line.trim()]))
      const values = (isKnown(input) ? list : [UNKNOWN]).map((text): Text => ({ text, origin: input.origin }))
      if (name !== 'read' || plain.some((word) => /^-\w*a/.test(word)))
        variables.setAny(names.at(-1) ?? 'MAPFILE', [
          name === 'read' ? values.flatMap(({ text, origin }) => text.split(/\s+/).map((one) => ({ text: one, origin }))) : values,
        ])
      else
        for (const one of names.length > 0 ? names : ['REPLY'])
          variables.setAny(
            one,
            values.map((value) => [value]),
          )
      return NOTHING
    }
    case 'alias':
      for (const word of plain) {
        const found = /^([^=]+)=(.*)$/s.exec(word)
        if (!found) continue
        session.aliases.set(found[1]!, found[2]!)
        session.apart(() => session.runText(here(found[2]!), NOTHING, []))
      }
      return NOTHING
    case 'unalias':
      if (isCertain) for (const word of plain) session.aliases.delete(word)
      return NOTHING
    case 'source':
    case '.': {
      const file = plain[0] === '/dev/stdin' ? input : session.readFile(plain[0] ?? '')
      return file ? session.runText(file, NOTHING, args.length > 1 ? args.slice(1) : undefined) : NOTHING
    }
    case 'trap':
      return plain[0] && !plain[0].startsWith('-') ? session.runText(args[0]!, NOTHING) : NOTHING
    case 'printf': {
      const at = plain[0] === '-v' ? 2 : plain[0] === '--' ? 1 : 0
      const output = { text: formatted(plain[at] ?? '', plain.slice(at + 1)), origin: worst(args.map(({ origin }) => origin)) }
      if (at < 2) return output
      variables.set(plain[1] ?? '', [output], isCertain)
      return NOTHING
    }
    case 'echo':
      return { text: echoed(plain), origin: worst(args.map(({ origin }) => origin)) }
    case 'at':
    case 'batch':
      return session.apart(() => session.runText(input, NOTHING, []))
    case 'ssh': {
      const rest = args.slice(skipOptions(plain, 0, SSH_OPTIONS) + 1)
      return session.apart(() => session.runText(rest.length > 0 ? joined(rest, ' ') : input, rest.length > 0 ? input : NOTHING, []))
    }
    case 'sed':
      for (const line of plain.flatMap((word) => word.split('\n'))) {
        const script = /(?:^|[;{])[ \t\d$!]*e[ \t]+(.+)/.exec(line)?.[1]
        if (script !== undefined) session.apart(() => session.runText(here(script), NOTHING, []))
      }
      return null
    case 'tar':
      for (const [index, word] of plain.entries()) {
        const found = /^--(?:checkpoint-action=exec|to-command|use-compress-program|info-script|rsh-command)=(.*)$/s.exec(word)?.[1]
        const script = found ?? (/^-\w*I$/.test(word) ? plain[index + 1] : undefined)
        if (script !== undefined) session.apart(() => session.runText(here(script), NOTHING, []))
      }
      return null
    case 'git': {
      for (const word of plain) {
        const found = /^alias\.[^=]+=!(.*)$/s.exec(word)
        if (found) session.apart(() => session.runText(here(found[1]!), NOTHING, []))
      }
      return null
    }
    default:
      return null
  }
}

/** What a program prints, as far as it matters; files that it writes. */
function printed(name: string, plain: readonly string[], input: Text, session: Session): Text {
  if (SILENT.has(name)) {
    const [from, to] = plain.filter((word) => !word.startsWith('-')).slice(-2)
    if (name === 'ln' && from !== undefined && to !== undefined) link(from, to, session)
    const moved = name === 'mv' || name === 'ln' ? session.readFile(from ?? '') : null
    if (moved && to !== undefined) session.putFile(to, moved)
    return NOTHING
  }
  if (DOWNLOADERS.has(name)) return downloaded(name, plain, session)
  const operands = plain.filter((word) => !/^-./.test(word))
  if (name === 'cat' || name === 'bat') {
    if (operands.length === 0) return input
    return joined(operands.map((word) => (word === '-' || word === '/dev/stdin' ? input : (session.readFile(word) ?? elsewhere))))
  }
  if (name === 'tee') {
    for (const file of operands) session.putFile(file, input)
    return input
  }
  if (name === 'cp') {
    const [from, to] = operands.slice(-2)
    const copied = session.readFile(from ?? '')
    if (copied && to !== undefined) session.putFile(to, copied)
    return NOTHING
  }
  if (name === 'dd') {
    const to = plain.find((word) => word.startsWith('of='))
    const from = plain.find((word) => word.startsWith('if='))
    const text = from ? (session.readFile(from.slice(3)) ?? elsewhere) : input
    if (to) session.putFile(to.slice(3), text)
    return to ? NOTHING : text
  }
  if (name === 'ls') {
    if (operands.length === 0) return here('*\n')
    return plain.some((word) => /^-\w*d/.test(word)) ? here(`${operands.join('\n')}\n`) : elsewhere
  }
  const made = printedPath(name, plain)
  if (made !== null) return here(made)
  const files = operands.map((word) => session.readFile(word)).filter((file) => file !== null)
  return filtered(name, plain, files.length > 0 && input.text === '' ? joined(files) : input)
}

function link(from: string, to: string, { folder, links }: Session): void {
  const [target, place] = [resolvePath(from, folder), resolvePath(to, folder)]
  if (target === null || place === null || from.includes(UNKNOWN) || to.includes(UNKNOWN)) return
  links.set(place, target === '/' ? '' : target)
  if (target !== '/') links.set(`${place}/${path.posix.basename(target)}`, target) // where `to` is a folder
}

function downloaded(name: string, plain: readonly string[], session: Session): Text {
  const value = (pattern: RegExp) => {
    const at = plain.findIndex((word) => pattern.test(word))
    return at < 0 ? null : (/=(.+)$/.exec(plain[at]!)?.[1] ?? plain[at + 1] ?? null)
  }
  const address = plain.findLast((word) => !word.startsWith('-') && /[/.]/.test(word))
  const base = path.posix.basename(address?.replace(/[?#].*$/, '') ?? '')
  const isCurl = name === 'curl'
  const file = value(isCurl ? /^-\w*o$|^--output(?:=|$)/ : /^-\w*O$|^--output-document(?:=|$)|^-o$/)
  const out: Text = { text: UNKNOWN, origin: 'download' }
  if (file === '-' || file === '/dev/stdout' || plain.some((word) => /^-\w*O-$/.test(word))) return out
  if (file !== null) session.putFile(file, out)
  else if (isCurl ? plain.some((word) => /^-\w*O/.test(word) || word === '--remote-name') : /^wget|aria2c/.test(name))
    session.putFile(base, out)
  else return out
  return NOTHING
}
