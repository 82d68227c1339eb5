/**
 * The files with which the tests start: scripts and set-up files that the command, package.json, make, CI services and runner
 * configurations name, and what those name in turn. Like tests, they are taken from the state before a change.
 */
import path from 'node:path'
import { jsonOf } from '#server/adapters/tools/json.ts'
import type { ProjectFacts } from '../facts.ts'
import { kindOf } from './check-files.ts'

const LEVELS = 2
const MAX_FILES = 300
const WORD = String.raw`["']?([\w@./<>-][\w@./<>+-]*)["']?`
/** In a command: what a shell reads, whatever it is called, and what an option has a runner load. */
const IN_COMMANDS = [
  new RegExp(String.raw`(?:^|[\s;&|(@"'])(?:bash|sh|dash|zsh|ksh|source|\.)(?:\s+-\w+)*\s+${WORD}`, 'gm'),
  new RegExp(
    String.raw`(?:^|\s|["'])(?:--?(?:require|r|import|loader|experimental-loader|config|c|p|f|file|makefile|reporter|R|ui|rcfile|project|setup\w*|globalSetup|env-file|test-reporter|tests?-?setup))(?:\s+|=)${WORD}`,
    'gm',
  ),
  /(?:^|[\s;&|(@"'])((?:[\w@.-]+\/)*[\w@.-]+\.(?:sh|bash|bats|mk))(?=$|[\s;&|)"'])/gm,
  /(?:^|[\s;&|(@"'])(\.{1,2}\/[\w@./-]+)/gm,
]
/** A program that an interpreter runs may be the work itself. */
const RUN = new RegExp(
  String.raw`(?:^|[\s;&|(@"'])(?:node|python[\d.]*|ruby|perl|tsx|ts-node|deno run|bun(?: run)?)(?:\s+-[\w=-]+)*\s+${WORD}`,
  'gm',
)
const OF_CHECKS = /(?:^|[/._-])(?:[a-z0-9]*tests?|[a-z0-9]*specs?|checks?|verify|lint|ci|runner|harness|setup|scripts)(?:[/._-]|$)/i
const OF_WORK = /^(?:\.\/)?(?:src|lib|app|bin|dist|build|packages)\//
/** In a configuration: keys whose values are loaded, and modules. */
const LOADED = /\b(?:setup\w*|global(?:Setup|Teardown)|require|import|loader|runner|testRunner|\w*[eE]nvironment|reporters?|transform|preset|extends|plugins|pytest_plugins|serializers?|snapshotSerializers|resolver|file)["']?\s*[:=(]?\s*(\[[^\]]*\]|\{[^}]*\}|["'`][^"'`\n]+["'`])/g // prettier-ignore
const MODULES = /\b(?:from|import|require\s*\()\s*["'`](\.{1,2}\/[^"'`\n]+)["'`]/g
const ENDINGS = ['', '.js', '.cjs', '.mjs', '.ts', '.cts', '.mts', '.json', '.py', '.sh', '/index.js', '/index.ts', '/__init__.py']

const isShell = (name: string) => /\.(?:sh|bash|bats|mk)$|(?:^|\/)(?:GNUmakefile|[Mm]akefile|[Jj]ustfile)$|^[^.]+$/.test(path.posix.basename(name)) || /\.ya?ml$|(?:^|\/)(?:tox\.ini|Jenkinsfile)$/.test(name) // prettier-ignore

/** Names of files that belong to the checks although their own names do not say so. */
export async function namedFiles(facts: ProjectFacts, commands: readonly string[]): Promise<ReadonlySet<string>> {
  const files = new Set(facts.files)
  const named = new Set<string>()
  /** Adds the file that a word means, and returns it. */
  const find = (word: string, folder: string): string[] => {
    const plain = word.replace(/^<rootDir>\//, '').replaceAll(/["'`]/g, '')
    const forms = /^[\w.]+$/.test(plain) && !plain.startsWith('.') ? [plain, plain.replaceAll('.', '/')] : [plain]
    for (const form of forms)
      for (const place of [path.posix.join(folder, form), path.posix.normalize(form)])
        for (const ending of ENDINGS) if (files.has(`${place}${ending}`)) return [`${place}${ending}`]
    return []
  }
  const words = (text: string, patterns: readonly RegExp[]) => patterns.flatMap((one) => [...text.matchAll(one)].map((match) => match[1]!))
  const inCommands = (text: string, folder: string, isTest = false): string[] => [
    ...words(text, IN_COMMANDS).flatMap((word) => find(word, folder)).filter((name) => !OF_WORK.test(name) || OF_CHECKS.test(name)),
    ...words(text, [RUN]).flatMap((word) => find(word, folder)).filter((name) => OF_CHECKS.test(name) || (isTest && !OF_WORK.test(name))),
  ] // prettier-ignore
  const inConfiguration = (text: string, folder: string): string[] =>
    [...text.matchAll(LOADED)].flatMap((match) => [...match[1]!.matchAll(/["'`]([^"'`\n]+)["'`]/g)].map((one) => one[1]!)).concat(words(text, [MODULES])).flatMap((word) => find(word, folder)) // prettier-ignore
  /** A set-up file may load the work too; only what is beside it, or looks like a part of checks, is followed. */
  const inSetUp = (text: string, name: string): string[] => {
    const folder = path.posix.dirname(name)
    return words(text, [MODULES])
      .flatMap((word) => find(word, folder))
      .filter((one) => OF_CHECKS.test(one) || (folder !== '.' && path.posix.dirname(one) === folder && !OF_WORK.test(one)))
  }
  const readAll = async (name: string): Promise<string[]> => {
    const text = (await facts.read(name)) ?? ''
    const folder = path.posix.dirname(name)
    if (path.posix.basename(name) === 'package.json') return inPackage(text, folder)
    if (isShell(name) || text.startsWith('#!')) return [...inCommands(text, folder), ...inCommands(text, '.')]
    return kindOf(name) === 'configuration' ? inConfiguration(text, folder) : inSetUp(text, name)
  }
  const inPackage = (text: string, folder: string): string[] => {
    const { scripts, main, ...fields } = (jsonOf(text) ?? {}) as { scripts?: Record<string, unknown>; main?: unknown }
    const lines = Object.entries(scripts ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    const isMain = (name: string) => typeof main === 'string' && path.posix.join(folder, main) === name
    return [
      ...lines.flatMap(([name, line]) => inCommands(line, folder, /^(?:pre|post)?(?:test|check|verify|ci)/.test(name)).filter((one) => !isMain(one))),
      ...inConfiguration(JSON.stringify({ ...fields, main: undefined, bin: undefined, exports: undefined, files: undefined }), folder),
    ] // prettier-ignore
  }

  let level = facts.files
    .filter((name) => kindOf(name) === 'configuration' || path.posix.basename(name) === 'package.json')
    .slice(0, MAX_FILES)
  const add = (found: readonly string[]) => {
    const fresh = [...new Set(found)].filter(
      (name) => !named.has(name) && kindOf(name) === null && path.posix.basename(name) !== 'package.json',
    )
    for (const name of fresh.slice(0, MAX_FILES)) named.add(name)
    return fresh
  }
  const fromCommand = add(commands.flatMap((command) => inCommands(command, '.', true)))
  for (let n = 0; n <= LEVELS; n += 1) level = [...(n === 0 ? fromCommand : []), ...add((await Promise.all(level.map(readAll))).flat())]
  return named
}
