// The baselines for sandboxes: plain bash, bubblewrap and Docker Engine, and a simple service on Docker.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import Docker from 'dockerode'

const BASH = ['/usr/bin/bash', '--norc', '--noprofile']
const BARE = '--unshare-all --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --proc /proc --dev /dev --tmpfs /tmp --die-with-parent' // prettier-ignore

export interface PlainShell {
  /** Sends a line and waits for the output. */
  echo(): Promise<void>
  end(): Promise<void>
}

/** Starts a bash on pipes, without a sandbox. */
export const plainBash = (): PlainShell => shellOf(spawn(BASH[0]!, BASH.slice(1), { stdio: ['pipe', 'pipe', 'ignore'] }))

/** Starts a bash in a bwrap with all namespaces, but without our limits, filters and folders. */
export const bareBwrap = (): PlainShell => shellOf(spawn('bwrap', [...BARE.split(' '), ...BASH], { stdio: ['pipe', 'pipe', 'ignore'] }))

/** Runs `echo` in a new bwrap. */
export async function bareBwrapOnce(): Promise<void> {
  const child = spawn('bwrap', [...BARE.split(' '), BASH[0]!, '-c', 'echo x'], { stdio: ['ignore', 'pipe', 'ignore'] })
  child.stdout.resume()
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`bwrap ended with ${code}.`)
}

function shellOf(child: ChildProcessByStdio<Writable, Readable, null>): PlainShell {
  return {
    async echo() {
      child.stdin.write('echo x\n')
      await once(child.stdout, 'data')
    },
    async end() {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

export interface PlainDocker {
  /** Creates and starts an idle container. Returns the function that removes it. */
  start(): Promise<() => Promise<void>>
  /** Starts a container; `exec` runs `echo` in it through the Engine. */
  open(): Promise<{ exec: () => Promise<void>; remove: () => Promise<void> }>
  /** A full container life cycle as in a simple service: bridge network, `sleep` as first process, bash on a terminal by exec, output polled for a marker. */
  fullLifeCycle(): Promise<void>
}

export function plainDocker(image: string): PlainDocker {
  const docker = new Docker() // DOCKER_HOST, or the default socket
  const startIdleContainer = async () => {
    const container = await docker.createContainer({
      Image: image,
      Entrypoint: ['/bin/cat'],
      OpenStdin: true,
      NetworkDisabled: true,
      HostConfig: { NetworkMode: 'none', LogConfig: { Type: 'none', Config: {} } },
    })
    await container.start()
    return container
  }
  return {
    async start() {
      const container = await startIdleContainer()
      return () => container.remove({ force: true })
    },
    async open() {
      const container = await startIdleContainer()
      return {
        async exec() {
          const exec = await container.exec({ Cmd: ['bash', '-c', 'echo x'], AttachStdout: true })
          const stream = await exec.start({ hijack: true, stdin: false })
          stream.resume()
          await finished(stream, { writable: false })
        },
        remove: () => container.remove({ force: true }),
      }
    },
    async fullLifeCycle() {
      const container = await docker.createContainer({ Image: image, Cmd: ['sleep', 'infinity'] })
      await container.start()
      while (!(await container.inspect()).State.Running) await sleep(POLL_MS)
      const exec = await container.exec({ Cmd: ['bash'], AttachStdin: true, AttachStdout: true, AttachStderr: true, Tty: true })
      const stream = await exec.start({ hijack: true, stdin: true, Tty: true })
      let output = ''
      stream.on('data', (bytes: Buffer) => (output += bytes.toString()))
      stream.write("echo x; echo 'end''marker'\n")
      while (!output.includes('endmarker')) await sleep(POLL_MS)
      stream.end()
      await container.stop({ t: 0 })
      await container.remove({ force: true })
    },
  }
}
const POLL_MS = 10
