import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type Docker from 'dockerode'

/**
 * Programs of ours in a container: they need nothing of it but /bin/sh. Processes of a program are those of its terminal
 * session and those that descend from it.
 */
export interface Answer {
  code: number
  output: string
}

/** Runs `script` with `args` as $1 and on. */
export async function runInside(
  docker: Docker,
  container: Docker.Container,
  user: string,
  script: string,
  args: readonly string[],
): Promise<Answer> {
  const exec = await container.exec({ Cmd: ['/bin/sh', '-c', script, 'sh', ...args], AttachStdout: true, AttachStderr: true, User: user })
  const stream = await exec.start({ hijack: true, stdin: false })
  const { output, errors } = demultiplexed(docker, stream)
  const [out] = await Promise.all([buffer(output), buffer(errors)])
  return { code: (await ended(exec)) ?? 1, output: out.toString('utf8') }
}

/** The two outputs of a program without a terminal. */
export function demultiplexed(docker: Docker, stream: NodeJS.ReadWriteStream): { output: PassThrough; errors: PassThrough } {
  const output = new PassThrough()
  const errors = new PassThrough()
  ;(docker.modem as { demuxStream: (from: unknown, to: unknown, toErrors: unknown) => void }).demuxStream(stream, output, errors)
  const end = () => {
    output.end()
    errors.end()
  }
  stream.once('end', end).once('close', end).once('error', end)
  return { output, errors }
}

/** The Engine closes the stream a moment before it knows how the program ended. */
export async function ended(exec: Docker.Exec): Promise<number | null> {
  for (;;) {
    const { Running, ExitCode } = await exec.inspect()
    if (!Running) return ExitCode
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Prints `pid parent session` of each process. */
export const LIST = `for s in /proc/[0-9]*/stat; do { read -r line <"$s"; } 2>/dev/null || continue; pid=\${line%% *}; set -- \${line##*) }; [ "$1" = Z ] || echo "$pid $2 $4"; done`
export const KILL = 'name=$1; shift; kill -s "$name" "$@" 2>/dev/null; exit 0'

/** What the program with `pid` started and is not gone, from the output of LIST. */
export function descendantsOf(pid: number, listing: string): number[] {
  const rows = listing
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number))
    .filter((row): row is [number, number, number] => row.length === 3)
  const found = new Set([pid])
  for (let before = 0; before !== found.size;) {
    before = found.size
    for (const [child, parent, session] of rows) if (found.has(parent) || session === pid) found.add(child)
  }
  found.delete(pid)
  return [...found]
}
