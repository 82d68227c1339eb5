import fs from 'node:fs'
import path from 'node:path'

/** Control groups that a process has created for its sandboxes. */
export const groupsOf = (owner: number): string[] =>
  ['memory', 'pids', 'cpu', 'cpuacct', ''].flatMap((name) => {
    const folder = path.join('/sys/fs/cgroup', name)
    return fs.existsSync(folder) ? fs.readdirSync(folder).filter((one) => one.startsWith(`box-${owner}-`)) : []
  })
