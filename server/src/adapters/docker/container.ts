import type Docker from 'dockerode'
import { type MachineSpec, NotRun } from '../sandbox/index.ts'
import { isIn, requireAbsolute, requireEnv, requireLimits } from '../sandbox/requests.ts'

/** Labels that identify our machines and their owner. */
export const LABELS = { dataDir: 'bashgym.home', owner: 'bashgym.owner', machine: 'bashgym.machine', snapshot: 'bashgym.snapshot' } as const

/** What `machine` keeps, so that a user 0 can set up software, users and files as on its own machine. */
const MACHINE_CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'SETUID', 'SETGID', 'KILL']
const STRICT_PLACES = ['/tmp', '/home/user', '/run', '/var/tmp', '/logs']
const OPEN_PLACES = new Set(['/tmp', '/run', '/var/tmp'])

const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' }
/** Who holds a strict container open: programs of the user 1000 may neither look into it nor end it. */
const NOBODY = '65534:65534'
const SYSTEM = ['/bin', '/boot', '/dev', '/etc', '/lib', '/lib64', '/proc', '/sbin', '/sys', '/usr']
/** The Engine's own default. */
const SHARED_BYTES = 64 * 1024 * 1024

export const userOf = ({ profile }: MachineSpec) => (profile === 'machine' ? '0:0' : '1000:1000')
export const workdirOf = ({ profile, workdir }: MachineSpec): string | null => workdir ?? (profile === 'strict' ? '/home/user' : null)
export const environmentOf = ({ profile, env }: MachineSpec): string[] =>
  Object.entries({
    ...ENVIRONMENT,
    ...(profile === 'machine' ? { HOME: '/root', USER: 'root' } : { HOME: '/home/user', USER: 'user' }),
    ...env,
  }).map(([name, value]) => `${name}=${value}`)

/** Throws `NotRun` for a part of the machine that cannot be had here. */
function requireSpec(spec: MachineSpec): void {
  if (typeof spec.network === 'object')
    throw new NotRun(
      'isolation_unavailable',
      'network: with Docker the network of a sandbox is off or open; a list of allowed addresses cannot be held. Ask for "none".',
    )
  if (spec.readOnly?.length)
    throw new NotRun(
      'isolation_unavailable',
      'readOnly: with Docker a sandbox is shown no folder of this machine. Use an image that has what is needed.',
    )
  if (spec.endpoints?.length)
    throw new NotRun('isolation_unavailable', 'endpoints: with Docker a sandbox reaches no port of this machine. Use bubblewrap.')
  requireLimits(spec.limits)
  requireEnv(spec.env)
  const workdir = workdirOf(spec)
  if (workdir === null) return
  requireAbsolute(workdir, 'workdir')
  if (spec.profile === 'strict' && [...SYSTEM, ...STRICT_PLACES].some((place) => place !== workdir && isIn(place, workdir)))
    throw new NotRun('invalid_request', `workdir: ${workdir} holds folders of the system; the profile "strict" needs a folder of its own.`)
  const system = SYSTEM.find((place) => isIn(workdir, place))
  if (spec.profile === 'strict' && system !== undefined)
    throw new NotRun('invalid_request', `workdir: ${workdir} is not in the machine's own files: ${system} is the system's.`)
}

/** The body of the Engine's call that makes the container. Throws `NotRun` for what it cannot hold. */
export function containerOf(spec: MachineSpec, labels: Record<string, string>): Docker.ContainerCreateOptions {
  requireSpec(spec)
  const { image, limits, network, profile } = spec
  const isStrict = profile === 'strict'
  const workdir = workdirOf(spec)
  const places = STRICT_PLACES.some((place) => isIn(workdir ?? place, place)) ? STRICT_PLACES : [...STRICT_PLACES, workdir!]
  return {
    Image: image,
    // waits until its input ends, which is when its owner is gone
    Entrypoint: ['/bin/cat'],
    Cmd: [],
    User: isStrict ? NOBODY : userOf(spec), // a program of user 0 can have no more capabilities than it
    Env: environmentOf(spec),
    Hostname: 'sandbox',
    ...(isStrict ? { WorkingDir: '/' } : {}), // the Engine would make another one, as root's
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
      ...(isStrict ? { Tmpfs: Object.fromEntries(places.map((place) => [place, tmpfs(place, limits.diskBytes)])) } : {}),
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
      ShmSize: Math.min(SHARED_BYTES, limits.diskBytes),
      Init: true,
      LogConfig: { Type: 'none', Config: {} },
    },
  }
}

const tmpfs = (place: string, bytes: number) =>
  `size=${bytes},exec,nosuid,nodev${OPEN_PLACES.has(place) ? ',mode=1777' : ',uid=1000,gid=1000,mode=0755'}`
