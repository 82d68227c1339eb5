import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendSignal } from './pause.ts'

const KILL_MS = 10_000

/** Kills every process whose file system is in this folder of a machine; a killed owner's programs may need a moment to end. */
export async function endProcessesIn(folder: string): Promise<void> {
  const until = performance.now() + KILL_MS
  for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
    const pids = processesIn(folder)
    if (pids.length === 0) return
    if (performance.now() > until) throw new Error(`Programs of the machine in ${folder} do not end: ${pids.join(', ')}.`)
    for (const pid of pids) sendSignal(pid, 'SIGKILL')
    await sleep(wait)
  }
}

/** `mountinfo` names the folder that a mount comes from. */
function processesIn(folder: string): number[] {
  return fs.readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const mounts = fs.readFileSync(`/proc/${name}/mountinfo`, 'utf8')
      return mounts.includes(`${folder}/`) ? [Number(name)] : []
    } catch {
      return [] // it has ended, or belongs to another user
    }
  })
}
