import path from 'node:path'
import type Docker from 'dockerode'
import { type MachineSpec, NotRun } from '../sandbox/index.ts'
import { seccompOption } from './seccomp.ts'
import { isIn, requireAbsolute, requireEnv, requireLimits } from '../sandbox/requests.ts'

/** Labels that identify our machines and their owner. */
export const LABELS = { dataDir: 'bashgym.home', owner: 'bashgym.owner', machine: 'bashgym.machine', snapshot: 'bashgym.snapshot' } as const

/**
 * Capabilities of the profile `machine`, over the container's own files and processes only. Installing packages needs them: apt
 * downloads as another user (SETUID, SETGID) into folders of that user (CHOWN, DAC_OVERRIDE, FOWNER). KILL ends such programs.
 */
const MACHINE_CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETUID', 'SETGID', 'KILL']
const STRICT_PLACES = ['/tmp', '/home/user', '/run', '/var/tmp', '/logs']
const OPEN_PLACES = new Set(['/tmp', '/run', '/var/tmp'])

const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' }
/** User of the first process in a strict container, so that programs of user 1000 can neither inspect nor end it. */
const NOBODY = '65534:65534'
const SYSTEM = ['/bin', '/boot', '/dev', '/etc', '/lib', '/lib64', '/proc', '/sbin', '/sys', '/usr']
/** The Engine's default. */
const SHARED_BYTES = 64 * 1024 * 1024

export const userOf = ({ profile }: MachineSpec) => (profile === 'machine' ? '0:0' : '1000:1000')
export const workdirOf = ({ profile, workdir }: MachineSpec): string | null => workdir ?? (profile === 'strict' ? '/home/user' : null)
export const environmentOf = ({ profile, env }: MachineSpec): string[] =>
  Object.entries({
    ...ENVIRONMENT,
    ...(profile === 'machine' ? { HOME: '/root', USER: 'root' } : { HOME: '/home/user', USER: 'user' }),
    ...env,
  }).map(([name, value]) => `${name}=${value}`)

/** Throws `NotRun` for a part of the machine that Docker cannot provide. */
function requireSpec(spec: MachineSpec): void {
  if (typeof spec.network === 'object')
    throw new NotRun(
      'isolation_unavailable',
      'network: with Docker the network of a sandbox is off or open; a list of allowed addresses is not supported. Use "none".',
    )
  if (spec.readOnly?.length)
    throw new NotRun(
      'isolation_unavailable',
      'readOnly: with Docker a sandbox cannot see folders of this machine. Use an image that contains the files.',
    )
  if (spec.endpoints?.length)
    throw new NotRun('isolation_unavailable', 'endpoints: with Docker a sandbox cannot reach a port of this machine. Use bubblewrap.')
  requireLimits(spec.limits)
  requireEnv(spec.env)
  const workdir = workdirOf(spec)
  if (workdir === null) return
  requireAbsolute(workdir, 'workdir')
  if (spec.profile === 'strict' && [...SYSTEM, ...STRICT_PLACES].some((place) => place !== workdir && isIn(place, workdir)))
    throw new NotRun('invalid_request', `workdir: ${workdir} contains system folders; the profile "strict" needs a separate folder.`)
  const system = SYSTEM.find((place) => isIn(workdir, place))
  if (spec.profile === 'strict' && system !== undefined)
    throw new NotRun('invalid_request', `workdir: ${workdir} is not in the machine's own files: ${system} belongs to the system.`)
}

/** What an image says about the containers made from it. */
export interface ImageSettings {
  Env?: string[] | null
  Volumes?: Record<string, object> | null
}

const MAX_VOLUMES = 16
/** Variables that make a shell or every program run code, or that change how our own scripts are read. */
const RUNS_CODE = /^(?:LD_PRELOAD|LD_AUDIT|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|BASH_FUNC_.*)$/

/** A name without a value removes the variable. */
const withoutVariables = ({ Env }: ImageSettings, env: Readonly<Record<string, string>>): string[] =>
  (Env ?? []).map((one) => one.split('=', 1)[0]!).filter((name) => RUNS_CODE.test(name) && env[name] === undefined)

/** Volumes would be folders of this machine without a limit. Throws `NotRun` for one that cannot be a folder in memory. */
function volumesOf({ Volumes }: ImageSettings): string[] {
  const volumes = Object.keys(Volumes ?? {}).map((place) => place.replace(/(?<=.)\/+$/, ''))
  const wrong = volumes.find((place) => !path.posix.isAbsolute(place) || path.posix.normalize(place) !== place || /[,:\0]/.test(place) || [...SYSTEM, '/'].some((one) => one === place || isIn(place, one === '/' ? '/dev' : one))) // prettier-ignore
  if (wrong !== undefined || volumes.length > MAX_VOLUMES)
    throw new NotRun(
      'image_unavailable',
      `image: its VOLUME ${JSON.stringify(wrong ?? volumes)} is a system folder, not a plain path, or one of more than ${MAX_VOLUMES}. Use an image without it.`,
    )
  return volumes
}

/** The options for creating the container. Throws `NotRun` for a part that cannot be enforced. */
export function containerOf(spec: MachineSpec, labels: Record<string, string>, fromImage: ImageSettings): Docker.ContainerCreateOptions {
  requireSpec(spec)
  const { image, limits, network, profile } = spec
  const isStrict = profile === 'strict'
  const workdir = workdirOf(spec)
  const own = STRICT_PLACES.some((place) => isIn(workdir ?? place, place)) ? STRICT_PLACES : [...STRICT_PLACES, workdir!]
  const volumes = volumesOf(fromImage)
  const inMemory = { ...placesOf(volumes, volumeIn(limits.diskBytes)), ...(isStrict ? placesOf(own, (place) => tmpfs(place, limits.diskBytes)) : {}) } // prettier-ignore
  return {
    Image: image,
    // Waits until its input ends, which happens when its owner ends.
    Entrypoint: ['/bin/cat'],
    Cmd: [],
    User: isStrict ? NOBODY : userOf(spec), // programs of user 0 cannot have more capabilities than this process
    Env: [...environmentOf(spec), ...withoutVariables(fromImage, spec.env)],
    Healthcheck: { Test: ['NONE'] }, // one of the image would run beside our programs
    StopSignal: 'SIGKILL',
    Hostname: 'sandbox',
    ...(isStrict ? { WorkingDir: '/' } : {}), // the Engine would create another folder with owner root
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
      SecurityOpt: ['no-new-privileges', seccompOption],
      Privileged: false,
      ReadonlyRootfs: isStrict,
      ...(Object.keys(inMemory).length > 0 ? { Tmpfs: inMemory } : {}),
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
const volumeIn = (bytes: number) => () => `size=${bytes},exec,nosuid,nodev,mode=1777`
const placesOf = (places: readonly string[], options: (place: string) => string): Record<string, string> =>
  Object.fromEntries(places.map((place) => [place, options(place)]))
