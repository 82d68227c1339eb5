// Opens a file or an address in the default browser. Argument vectors, never a shell, and no secret in them: other users can read them.
import { spawn, spawnSync } from 'node:child_process'

/** False when no opener was found; the caller then prints the address. */
export function openInBrowser(place) {
  const [command, args] =
    process.platform === 'darwin'
      ? ['open', [place]]
      : process.platform === 'win32'
        ? ['rundll32', ['url.dll,FileProtocolHandler', place]]
        : ['xdg-open', [place]]
  if (process.platform === 'linux' && spawnSync('which', [command]).status !== 0) return false
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  child.once('error', () => {
    console.error(`${command} could not be started; run npm run -s bashgym -- open --print and open its link by hand.`)
  })
  child.unref()
  return true
}
