import type Docker from 'dockerode'
import { type MachineSpec, NotRun } from '../sandbox/index.ts'

/** Labels by which a machine of ours, and who owns it, are known again. */
export const LABELS = { home: 'bashgym.home', owner: 'bashgym.owner', machine: 'bashgym.machine' } as const

/** What `machine` keeps, so that a user 0 can set up software, users and files as on a machine of its own. */
const MACHINE_CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'SETUID', 'SETGID', 'KILL']
const STRICT_PLACES = ['/tmp', '/home/user', '/run', '/var/tmp', '/logs']

const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', TERM: 'xterm-256color' }

export const userOf = ({ profile }: MachineSpec) => (profile === 'machine' ? '0:0' : '1000:1000')
export const workdirOf = ({ profile, workdir }: MachineSpec): string | null => workdir ?? (profile === 'strict' ? '/home/user' : null)
export const environmentOf = ({ profile, env }: MachineSpec): string[] =>
  Object.entries({
    ...ENVIRONMENT,
    ...(profile === 'machine' ? { HOME: '/root', USER: 'root' } : { HOME: '/home/user', USER: 'user' }),
    ...env,
  }).map(([name, value]) => `${name}=${value}`)

/** The body of the Engine's call that makes the container. Throws `NotRun` for what it cannot hold. */
export function containerOf(spec: MachineSpec, labels: Record<string, string>): Docker.ContainerCreateOptions {
  const { image, limits, network, profile } = spec
  if (typeof network === 'object')
    throw new NotRun(
      'isolation_unavailable',
      'With Docker the network of a sandbox is off or open; a list of allowed addresses cannot be held.',
    )
  const isStrict = profile === 'strict'
  const workdir = workdirOf(spec)
  return {
    Image: image,
    // waits until its input ends, which is when its owner is gone
    Entrypoint: ['/bin/cat'],
    Cmd: [],
    User: userOf(spec),
    Env: environmentOf(spec),
    Hostname: 'sandbox',
    ...(workdir === null ? {} : { WorkingDir: workdir }),
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    Tty: false,
    StopTimeout: 0,
    Labels: { ...spec.labels, ...labels },
    ...(network === 'none' ? { NetworkDisabled: true } : {}),
    HostConfig: {
      NetworkMode: network === 'none' ? 'none' : 'bridge',
      CapDrop: ['ALL'],
      CapAdd: isStrict ? [] : MACHINE_CAPABILITIES,
      SecurityOpt: ['no-new-privileges'],
      Privileged: false,
      ReadonlyRootfs: isStrict,
      ...(isStrict ? { Tmpfs: Object.fromEntries(STRICT_PLACES.map((place) => [place, tmpfs(place, limits.diskBytes)])) } : {}),
      Memory: limits.memoryBytes,
      MemorySwap: limits.memoryBytes,
      NanoCpus: Math.round(limits.cpus * 1e9),
      PidsLimit: limits.processes,
      Ulimits: [
        { Name: 'nofile', Soft: limits.openFiles, Hard: limits.openFiles },
        { Name: 'fsize', Soft: limits.fileBytes, Hard: limits.fileBytes },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
      IpcMode: 'private',
      Init: true,
      LogConfig: { Type: 'none', Config: {} },
    },
  }
}

const tmpfs = (place: string, bytes: number) =>
  `size=${bytes},nosuid,nodev${place === '/home/user' ? ',uid=1000,gid=1000,mode=0755' : ',mode=1777'}`
