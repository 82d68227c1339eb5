import { execa } from 'execa'

/** Opens a file or an address in the default browser; false when there is no way to. Other users can read `place`: no secret belongs in it. */
export async function browse(place: string): Promise<boolean> {
  const [command, ...args] = openerOf(place)
  const { exitCode } = await execa(command, args, { reject: false, timeout: 10_000, stdio: 'ignore' })
  return exitCode === 0
}

function openerOf(place: string): [string, ...string[]] {
  if (process.platform === 'darwin') return ['open', place]
  return process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler', place] : ['xdg-open', place]
}
