import fs from 'node:fs'
import type { Socket } from 'node:net'

/** True if a program of another user, except root, is at the other end of a local connection. False if the system does not show it. */
export function isOtherUser(socket: Socket): boolean {
  const user = peerUser(socket)
  return user !== null && user !== 0 && user !== process.getuid?.()
}

/** User id at the other end of a local connection, from `/proc/net` of Linux; null on other systems. */
function peerUser({ remotePort, localPort }: Pick<Socket, 'remotePort' | 'localPort'>): number | null {
  if (remotePort === undefined || localPort === undefined) return null
  const [peerPort, ownPort] = [portOf(remotePort), portOf(localPort)]
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of linesOf(table)) {
      const [, local, remote, , , , , user] = line.trim().split(/\s+/)
      if (local?.endsWith(peerPort) && remote?.endsWith(ownPort)) return Number(user)
    }
  }
  return null
}

const portOf = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`

function linesOf(file: string): string[] {
  try {
    return fs.readFileSync(file, 'utf8').split('\n')
  } catch {
    return [] // the system has no /proc/net
  }
}
