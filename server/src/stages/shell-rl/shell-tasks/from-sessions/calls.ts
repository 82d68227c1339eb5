import { type Command, type HereDoc, parse, type PipelineNode, type Redirect, type Statement } from 'unbash'
import { commandsOf } from '../generate/diversity.ts'
import { withoutFolder } from '#server/shell/options.ts'
import { UnfitError } from './unfit.ts'
import { plain, requirePlain } from './words.ts'

/** One command of a call whose effect is known. */
export interface Action {
  program: string
  args: string[]
  /** The file that its output is written to. */
  target: { path: string; isAppended: boolean } | null
  /** The text of its here-document. */
  input: string | null
  source: string
}

/** `unknown`: its text does not show what it changes. */
export type ReadCall = { kind: 'unfit'; reason: string } | { kind: 'unknown'; reason: string } | { kind: 'known'; actions: Action[] }

const NETWORK = new Set(
  'curl wget ssh scp sftp rsync ftp nc ncat telnet ping dig nslookup host apt apt-get dnf yum apk brew pip pip3 pipx uv npm npx pnpm yarn bun docker podman gh aws gcloud kubectl'.split(
    ' ',
  ),
)
const GIT_NETWORK = /\bgit\b[^|;&\n]*\b(?:clone|fetch|pull|push|ls-remote|submodule)\b/
const HOME = /(?:^|[\s"'=:(<>])(?:~(?=[/\s]|$)|\$HOME\b|\$\{HOME\}|\/home\/|\/root(?=[/\s]|$)|\/Users\/)/

/** Commands that change nothing. */
const READ_ONLY = new Set(
  'ls cat pwd head tail wc stat file test [ true : tree du df which sort uniq diff cmp grep egrep fgrep cut tr date whoami id basename dirname realpath readlink sha256sum md5sum nl tac rev'.split(
    ' ',
  ),
)
const CHANGING = new Set('cd mkdir touch rm rmdir mv cp ln chmod tar gzip echo printf cat'.split(' '))

export const changesFiles = ({ program, target }: Action): boolean =>
  target !== null || (CHANGING.has(program) && !['cd', 'cat', 'echo', 'printf'].includes(program))

/** Reads from its text what a shell call does. */
export function readCall(text: string): ReadCall {
  const names = commandsOf(text)
  const remote = names.find((name) => NETWORK.has(name)) ?? (GIT_NETWORK.test(text) ? 'git' : undefined)
  if (remote !== undefined) return { kind: 'unfit', reason: `It may need the network (${remote}), which a sandbox does not have.` }
  if (HOME.test(text)) return { kind: 'unfit', reason: 'It uses a path in a home folder, which a sandbox does not have.' }
  const unknown = names.find((name) => !READ_ONLY.has(name) && !CHANGING.has(name) && name !== 'find')
  if (unknown !== undefined) return { kind: 'unknown', reason: `The command does not show what ${unknown} changes.` }
  try {
    const script = parse(text)
    if ((script.errors?.length ?? 0) > 0) return { kind: 'unknown', reason: 'Its command could not be read.' }
    return { kind: 'known', actions: script.commands.flatMap((one) => actionsOf(one, text)) }
  } catch (error) {
    if (error instanceof UnfitError) return { kind: 'unfit', reason: error.message }
    if (error instanceof RangeError) return { kind: 'unknown', reason: 'Its command is nested too deeply to be read.' }
    throw error
  }
}

function actionsOf({ command, background }: Statement, text: string): Action[] {
  if (background) throw new UnfitError('It leaves a program running.')
  if (command.type !== 'AndOr') return actionsOfNode(command, text)
  if (command.operators.some((operator) => operator !== '&&')) throw new UnfitError('Its effect depends on whether a command fails.')
  return command.commands.flatMap((node) => actionsOfNode(node, text))
}

function actionsOfNode(node: PipelineNode, text: string): Action[] {
  if (node.type === 'Command') return [actionOf(node, text)]
  if (node.type !== 'Pipeline') throw new UnfitError('It has a loop, a condition or a function.')
  const actions = node.commands.flatMap((one) => actionsOfNode(one, text))
  if (actions.some(changesFiles)) throw new UnfitError('It writes the output of a pipe, whose input the session does not show.')
  return actions
}

function actionOf(command: Command, text: string): Action {
  if (command.name === undefined || command.prefix.some(({ type }) => type === 'Assignment')) throw new UnfitError('It sets a variable.')
  const action: Action = {
    program: withoutFolder(plain(command.name)),
    args: command.args.map((arg) => {
      if (arg.type === 'Assignment') throw new UnfitError('It sets a variable.')
      return plain(arg)
    }),
    target: null,
    input: null,
    source: text.slice(command.pos, command.end),
  }
  for (const redirect of command.redirects) {
    if (redirect.type === 'HereDoc') action.input = hereDocumentText(redirect)
    else if (redirect.type === 'HereString') throw new UnfitError('It reads a here-string.')
    else action.target = targetOf(redirect) ?? action.target
  }
  if (action.program === 'find' && action.args.some((arg) => /^-(?:exec|ok|delete|fprint|fls)/.test(arg)))
    throw new UnfitError('It changes the files that it finds, and the session does not show which files existed.')
  return action
}

function hereDocumentText({ operator, delimiter, body }: HereDoc): string {
  if (operator === '<<-') throw new UnfitError('It has a here-document with removed tabs (<<-).')
  if (delimiter?.quoted !== true) for (const part of body.parts ?? []) requirePlain(part)
  return body.text
}

/** Null if it changes no file. */
function targetOf({ operator, descriptor, target }: Redirect): Action['target'] {
  if (target === undefined || operator === '<' || operator === '>&' || operator === '<&') return null
  const path = plain(target)
  if (path === '/dev/null') return null
  if (descriptor !== undefined && !(descriptor.type === 'FileDescriptor' && descriptor.value === 1))
    throw new UnfitError('It writes error output to a file, which the session does not show separately.')
  if (operator !== '>' && operator !== '>>' && operator !== '>|')
    throw new UnfitError('It writes error output to a file, which the session does not show separately.')
  return { path, isAppended: operator === '>>' }
}
