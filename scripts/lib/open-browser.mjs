// Opens an address in the default browser. Argument vectors, never a shell.
import { spawn, spawnSync } from 'node:child_process'

/** False when no opener was found; the caller then prints the address. */
export function openInBrowser(url) {
  const [command, args] =
    process.platform === 'darwin'
      ? ['open', [url]]
      : process.platform === 'win32'
        ? ['rundll32', ['url.dll,FileProtocolHandler', url]]
        : ['xdg-open', [url]]
  if (process.platform === 'linux' && spawnSync('which', [command]).status !== 0) return false
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  child.once('error', () => {
    console.error(`${command} could not be started; open the address by hand.`)
  })
  child.unref()
  return true
}
