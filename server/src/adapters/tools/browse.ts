import { execa } from 'execa'

/** Opens an address in the default browser; false when there is no way to. */
export async function browse(url: string): Promise<boolean> {
  const [command, ...args] = openerOf(url)
  const { exitCode } = await execa(command, args, { reject: false, timeout: 10_000, stdio: 'ignore' })
  return exitCode === 0
}

function openerOf(url: string): [string, ...string[]] {
  if (process.platform === 'darwin') return ['open', url]
  return process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler', url] : ['xdg-open', url]
}
