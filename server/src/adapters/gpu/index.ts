import os from 'node:os'
import type { ComputeDevice } from '#contracts/entities/run.ts'
import { type Finished, howEnded, runToEnd } from '#server/process/run-to-end.ts'
import { availableMemory } from './memory.ts'

/** A driver can hang (GPU removed, driver update), and must not block a page. */
const TIMEOUT_MS = 5000
const GRACE_MS = 800
const MIB = 1024 * 1024

export interface Devices {
  /** GPUs first, then the processor. */
  items: ComputeDevice[]
  /** Why no GPU can be used; null if a GPU was found, or if there is none. */
  problem: string | null
  /** There is a GPU, but training cannot use it. */
  blocked?: boolean
}

/**
 * GPUs that nvidia-smi reports, and the CPU, with their free memory. `path`: the PATH to search; `root`: the folder with
 * /proc and /sys.
 */
export async function findDevices(path: string, root = '/'): Promise<Devices> {
  const cpu: ComputeDevice = {
    kind: 'cpu',
    name: os.cpus()[0]?.model.trim() || os.arch(),
    ...availableMemory(root),
    cores: os.availableParallelism(),
  }
  const problem = (why: string): Devices => ({ items: [cpu], problem: `nvidia-smi reports no GPU: ${why}. Training uses the CPU.` })
  let answer: Finished
  try {
    answer = await runToEnd({
      command: 'nvidia-smi',
      args: ['--query-gpu=name,memory.total,memory.free,uuid', '--format=csv,noheader,nounits'],
      cwd: '/',
      env: { PATH: path, LC_ALL: 'C' },
      deadlineMs: TIMEOUT_MS,
      graceMs: GRACE_MS,
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { items: [cpu], problem: null }
    return problem((error as Error).message)
  }
  if (answer.endedBy === 'deadline') return problem('it did not answer within 5 s')
  if (answer.code !== 0) return problem((answer.stderr || answer.stdout || howEnded(answer)).split('\n')[0]!)
  return { items: [...parseGpus(answer.stdout), cpu], problem: null }
}

/** Parses lines of `name, total MiB, free MiB, uuid`; a number that is not reported is null. */
export function parseGpus(csv: string): ComputeDevice[] {
  return csv.split('\n').flatMap((line): ComputeDevice[] => {
    const [name = '', total = '', free = '', uuid = ''] = line.split(',').map((cell) => cell.trim())
    if (name === '') return []
    return [
      { kind: 'cuda', name, totalBytes: bytes(total), freeBytes: bytes(free), cores: null, uuid: uuid.startsWith('GPU-') ? uuid : null },
    ]
  })
}

function bytes(cell: string): number | null {
  const mib = Number(cell)
  return cell === '' || !Number.isFinite(mib) ? null : mib * MIB
}
