import path from 'node:path'
import { finished } from 'node:stream/promises'
import { escaped, regexOfGlob } from './glob.ts'
import { type Input, Refused, type ToolPlace, type ToolResult } from './inputs.ts'

const [OUTPUT_BYTES, LISTED, SEARCH_MS] = [2_000_000, 100, 120_000]
const PRUNED = ['(', '-name', '.git', '-o', '-name', 'node_modules', ')', '-prune', '-o', '-type', 'f']

export function createSearchTools({ sandboxes, sandboxId, workdir, placeOf, signal }: ToolPlace) {
  /** Runs a program with these arguments, without a shell. */
  const output = async (argv: readonly string[], cwd: string): Promise<{ text: string; code: number | null }> => {
    const channel = await sandboxes.spawn(sandboxId, { argv, terminal: null, cwd })
    const parts: Buffer[] = []
    let bytes = 0
    channel.output.on('data', (part: Buffer) => {
      bytes += part.length
      if (bytes <= OUTPUT_BYTES) parts.push(part)
    })
    channel.errors?.resume()
    channel.input.on('error', () => undefined).end()
    const stop = () => void channel.signal('KILL', 'all')
    const timer = setTimeout(stop, SEARCH_MS)
    signal.addEventListener('abort', stop, { once: true })
    try {
      await Promise.all([channel.exit, finished(channel.output).catch(() => undefined)])
      signal.throwIfAborted()
      return { text: Buffer.concat(parts).toString('utf8'), code: (await channel.exit).code }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }

  const glob = async ({ pattern, path: folder }: Input<'Glob'>): Promise<ToolResult> => {
    const root = placeOf(folder ?? '.')
    const wanted = path.posix.isAbsolute(pattern) ? path.posix.relative(root, pattern) : path.posix.normalize(pattern)
    const regex = `${escaped(root === '/' ? '' : root)}/${regexOfGlob(wanted)}`
    const argv = ['find', root, '-regextype', 'posix-extended', ...PRUNED, '-regex', regex, '-printf', String.raw`%T@ %P\0`]
    const { text, code } = await output(argv, workdir)
    if (code !== 0 && text === '') throw new Refused(`Directory does not exist or cannot be searched: ${root}.`)
    const files = text
      .split('\0')
      .flatMap((line) => {
        const at = line.indexOf(' ')
        return at === -1 ? [] : [{ changed: Number(line.slice(0, at)), name: line.slice(at + 1) }]
      })
      .toSorted((a, b) => b.changed - a.changed)
    if (files.length === 0) return { text: 'No files found', isError: false }
    const names = files.slice(0, LISTED).map(({ name }) => path.posix.join(root, name))
    const more = files.length > LISTED ? ['(Results are truncated. Consider using a more specific path or pattern.)'] : []
    return { text: [...names, ...more].join('\n'), isError: false }
  }

  const grep = async (input: Input<'Grep'>): Promise<ToolResult> => {
    const { pattern, path: place = '.', glob: names, output_mode: mode, head_limit: most = 250 } = input
    const target = path.posix.relative(workdir, placeOf(place)) || '.'
    const around = (['-A', '-B', '-C'] as const).flatMap((flag) => (input[flag] === undefined ? [] : [`${flag}${input[flag]}`]))
    const { text, code } = await output(
      [
        'grep',
        '-rIP',
        '--exclude-dir=.git',
        '--exclude-dir=node_modules',
        ...(input['-i'] ? ['-i'] : []),
        ...(names === undefined ? [] : [`--include=${names.replace(/^\*\*\//, '')}`]),
        ...(mode === 'content' ? ['-H', ...(input['-n'] ? ['-n'] : []), ...around] : [mode === 'count' ? '-cH' : '-l']),
        '-e',
        pattern,
        '--',
        target,
      ],
      workdir,
    )
    if (code !== 0 && code !== 1) throw new Refused(`The search failed. The pattern may not be a regular expression: ${pattern}`)
    const found = text
      .split('\n')
      .filter((line) => line !== '' && !(mode === 'count' && line.endsWith(':0')))
      .map((line) => line.replace(/^\.\//, ''))
    const lines = (mode === 'content' ? found : found.toSorted()).slice(0, most === 0 ? undefined : most)
    if (lines.length === 0) return { text: mode === 'files_with_matches' ? 'No files found' : 'No matches found', isError: false }
    const head = mode === 'files_with_matches' ? [`Found ${found.length} ${found.length === 1 ? 'file' : 'files'}`] : []
    return { text: [...head, ...lines].join('\n'), isError: false }
  }

  return { glob, grep }
}
