import fs from 'node:fs'
import type { Socket } from 'node:net'

/**
 * The number of the user whose program is at the other end of a connection within this machine; null if the system does
 * not tell (it is in `/proc/net` on Linux).
 */
export function peerUser({ remotePort, localPort }: Pick<Socket, 'remotePort' | 'localPort'>): number | null {
  if (remotePort === undefined || localPort === undefined) return null
  const [theirs, ours] = [portOf(remotePort), portOf(localPort)]
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of linesOf(table)) {
      const [, local, remote, , , , , user] = line.trim().split(/\s+/)
      if (local?.endsWith(theirs) && remote?.endsWith(ours)) return Number(user)
    }
  }
  return null
}

const portOf = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`

function linesOf(file: string): string[] {
  try {
    return fs.readFileSync(file, 'utf8').split('\n')
  } catch {
    return [] // another system
  }
}
